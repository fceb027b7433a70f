package ghidra.program.model.listing;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressFactory;
import ghidra.program.model.address.AddressSpace;
import ghidra.program.model.data.DataTypeManager;
import ghidra.program.model.mem.Memory;
import ghidra.program.model.symbol.ReferenceManager;
import ghidra.program.model.symbol.SymbolTable;

/** Stand-in. */
public class Program {
    public final AddressSpace space = new AddressSpace("ram", 48);
    public final Memory memory = new Memory();
    public final Listing listing = new Listing();
    public final FunctionManager functions = new FunctionManager();
    public final SymbolTable symbols = new SymbolTable();
    public final ReferenceManager references = new ReferenceManager();
    public final DataTypeManager types = new DataTypeManager();
    public Address imageBase;
    public String sha256;

    public AddressFactory getAddressFactory() {
        return new AddressFactory(space);
    }

    public Memory getMemory() {
        return memory;
    }

    public Listing getListing() {
        return listing;
    }

    public FunctionManager getFunctionManager() {
        return functions;
    }

    public SymbolTable getSymbolTable() {
        return symbols;
    }

    public ReferenceManager getReferenceManager() {
        return references;
    }

    public DataTypeManager getDataTypeManager() {
        return types;
    }

    public Address getImageBase() {
        return imageBase;
    }

    public String getExecutableSHA256() {
        return sha256;
    }
}
