package ghidra.program.model.listing;

import ghidra.program.model.address.Address;
import ghidra.program.model.address.AddressSetView;
import ghidra.program.model.data.DataType;
import ghidra.program.model.pcode.JumpTable;
import ghidra.program.model.pcode.PcodeOpAST;
import ghidra.program.model.symbol.SourceType;
import ghidra.program.model.symbol.Symbol;
import java.util.ArrayList;
import java.util.List;

/** Stand-in. */
public class Function {
    public Symbol symbol;
    public AddressSetView body;
    public Function thunked;
    public boolean external;
    public String prototype;
    public String convention = "unknown";
    public String returnType = "undefined";
    public boolean variadic;
    public boolean noReturn;
    public final List<Parameter> parameters = new ArrayList<>();
    public final List<Variable> locals = new ArrayList<>();
    /** What the stand-in decompiler gives: text, or how it fails. */
    public String pseudocode;
    public String decompile = "done";
    public final List<JumpTable> jumpTables = new ArrayList<>();
    public final List<PcodeOpAST> pcode = new ArrayList<>();

    public String getName() {
        return symbol.getName();
    }

    public Symbol getSymbol() {
        return symbol;
    }

    public Address getEntryPoint() {
        return symbol.getAddress();
    }

    public AddressSetView getBody() {
        return body;
    }

    public boolean isThunk() {
        return thunked != null;
    }

    public Function getThunkedFunction(boolean recursive) {
        return recursive && thunked != null && thunked.thunked != null ? thunked.getThunkedFunction(true) : thunked;
    }

    public boolean isExternal() {
        return external;
    }

    public SourceType getSignatureSource() {
        return prototype == null ? SourceType.DEFAULT : SourceType.ANALYSIS;
    }

    public String getPrototypeString(boolean formal, boolean withConvention) {
        return prototype;
    }

    public String getCallingConventionName() {
        return convention;
    }

    public DataType getReturnType() {
        return new DataType(returnType);
    }

    public boolean hasVarArgs() {
        return variadic;
    }

    public boolean hasNoReturn() {
        return noReturn;
    }

    public Parameter[] getParameters() {
        return parameters.toArray(Parameter[]::new);
    }

    public Variable[] getLocalVariables() {
        return locals.toArray(Variable[]::new);
    }
}
