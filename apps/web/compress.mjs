// Lays a compressed copy beside each script and style of the built console, so that the server sends those without work of its own.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const folder = fileURLToPath(new URL('../../dist/web/browser/', import.meta.url));
for (const name of readdirSync(folder).filter((one) => /\.(js|css)$/.test(one))) {
  const text = readFileSync(join(folder, name));
  writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text));
  writeFileSync(join(folder, `${name}.gz`), gzipSync(text, { level: 9 }));
}
