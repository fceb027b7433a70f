package ghidra.program.model.listing;

/** Stand-in. */
public enum CommentType {
    EOL, PRE, POST, PLATE, REPEATABLE
}
