"""Simple case folding of single characters: what the letters of one kind have in common."""

_LAST_CASED = 0x1E943
_kin = {}


def fold(character):
    """One character that stands for all its case variants."""
    folded = character.casefold()
    if len(folded) == 1:
        return folded
    lowered = character.lower()
    return lowered if len(lowered) == 1 else character


def fold_text(text):
    return text.lower() if text.isascii() else "".join(map(fold, text))


def kin(character):
    """All characters that fold to what this one folds to."""
    if not _kin:
        _kin.update(_collect())
    return _kin.get(fold(character), character)


def _collect():
    by_fold = {}
    for code in range(0x41, _LAST_CASED + 1):
        if 0xD800 <= code <= 0xDFFF:
            continue
        character = chr(code)
        folded = fold(character)
        if folded != character:
            by_fold[folded] = by_fold.get(folded, folded) + character
    return by_fold
