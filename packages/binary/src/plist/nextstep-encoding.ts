/** The upper half of the NEXTSTEP encoding, which octal escapes of the old text form are written in. */
const upperHalf = [..."\u00a0ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ®–†‡·¦¶•‚„”»…‰¬¿¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ—±¼½¾àáâãäåçèéêëìÆíªîïðñŁØŒºòóôõöæùúûıüýłøœßþÿ"];

/** The character of one byte; U+FFFD for the two that stand for none. */
export function nextStepCharacter(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : (upperHalf[byte - 0x80] ?? "\ufffd");
}
