// Puts what is no TypeScript beside the build: the bridge and its profile, and the lock of the host. `node ship.mjs FOLDER`.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

for (const name of ['bridge', 'host'])
  cpSync(fileURLToPath(new URL(name, import.meta.url)), join(process.argv[2], 'libs', 'relay', name), { recursive: true });
