package reabridge;

import ghidra.program.model.address.Address;
import ghidra.program.model.listing.Function;
import ghidra.program.model.listing.Program;

/** The program that is asked about, with what is kept of it between requests. */
public final class Held {
    final Program program;
    final Places places;
    final Procedures procedures;
    final Names names;
    final Strings strings;

    public Held(Program program) {
        this.program = program;
        this.places = new Places(program);
        this.procedures = new Procedures(program, places);
        this.names = new Names(program, places);
        this.strings = new Strings(program, places);
    }

    String text(Address address) {
        return places.text(address);
    }

    /** Refuses what is no address of the program's space. */
    Address address(Params params, String key) {
        Address address = places.parse(params.text(key, 64));
        if (address == null) throw new Refused("address_outside", "The address lies outside of the program's space.");
        return address;
    }

    /** The name of what is shown at an address: that of an import at its slot. */
    String nameAt(Address address) {
        Function imported = procedures.importedAt(address);
        return imported == null ? names.at(address) : Texts.name(imported.getName());
    }

    Procedures.Placed procedure(Params params, Work work) {
        return procedures.find(params.text("procedure", 4_096), work);
    }

    /** Whether there is code of it here. */
    static boolean hasBody(Function function) {
        return !function.isExternal();
    }
}
