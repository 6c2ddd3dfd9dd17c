export { BASE_POLICY } from './base-policy.js';
export { decideCommand } from './decide.js';
export { NOTHING, PathLook } from './path-look.js';
export type { FileFact } from './path-look.js';
export type { Level, PolicyDocument, RuleRow } from './policy-document.js';
export { TOOL_FOLDERS } from './question.js';
export type { CommandQuestion, Where } from './question.js';
export type { RuleId } from './rules.js';
