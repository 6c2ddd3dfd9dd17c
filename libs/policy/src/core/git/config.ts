export interface GitSetting {
  /** Section and name in lower case, the middle part as written: `filter.LFS.clean`. */
  readonly key: string;
  readonly value: string;
}

/**
 * Reads the text of a git configuration file without git. Null when a line is not understood: then nothing is known
 * about what the file says.
 */
export function readGitConfig(text: string): readonly GitSetting[] | null {
  const settings: GitSetting[] = [];
  let section = '';
  // A backslash at the end joins lines.
  for (const raw of text.replaceAll(/\\\r?\n/g, '').split(/\r?\n/)) {
    let line = raw.trim();
    const header = /^\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]\s*/.exec(line);
    if (header) {
      const [whole, name = '', middle] = header;
      const unescaped = middle?.replaceAll(/\\(.)/g, '$1');
      section = unescaped === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${unescaped}`;
      line = line.slice(whole.length);
    }
    if (line === '' || line.startsWith('#') || line.startsWith(';')) continue;
    const setting = /^([A-Za-z][A-Za-z0-9-]*)\s*(?:=\s*(.*))?$/.exec(line);
    if (!setting || section === '') return null;
    settings.push({ key: `${section}.${(setting[1] ?? '').toLowerCase()}`, value: plainValue(setting[2] ?? 'true') });
  }
  return settings;
}

/** Without quotes and what a comment sign outside quotes begins. */
function plainValue(text: string): string {
  let value = '';
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at] ?? '';
    if (letter === '\\') {
      at += 1;
      value += text[at] ?? '';
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && (letter === '#' || letter === ';')) break;
    else value += letter;
  }
  return value.trim();
}
