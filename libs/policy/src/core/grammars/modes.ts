/** Whether a mode, octal or symbolic, sets a set-user or set-group bit. */
export function setsPrivilege(mode: string): boolean {
  if (/^[-+=]?[0-7]+$/.test(mode)) return (Number.parseInt(mode.replace(/^[-+=]/, ''), 8) & 0o6000) !== 0;
  return mode.split(',').some((clause) => /[+=][rwxXtugo]*s/.test(clause));
}

const SYMBOLIC = /^([ugoa]*([-+=]([rwxXst]*|[ugo]))+|[-+=]?[0-7]{1,5})$/;

export function isMode(text: string): boolean {
  return text.split(',').every((clause) => SYMBOLIC.test(clause));
}
