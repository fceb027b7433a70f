const entities: { readonly [character: string]: string } = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text for between tags and inside quoted attributes. */
export function escapeHtml(text: string): string {
  // Characters that XML cannot hold are shown by their number.
  return text.replace(/[&<>"']/gu, (character) => entities[character] ?? "").replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, (character) => `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
