import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

/** Packs lines into a file for this user only. Nothing stands under the file's name before it is whole and on the disk. */
export async function writeLines(file: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(Readable.from(lines), createGzip(), createWriteStream(part, { mode: 0o600, flags: 'wx' }));
    const handle = await open(part);
    await handle.sync();
    await handle.close();
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
  }
}

/** The lines of such a file. Texts hold other line ends, so only this one counts. */
export async function* readLines(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const text = bytes.pipe(createGunzip()).setEncoding('utf8');
  bytes.on('error', (error) => text.destroy(error));
  let rest = '';
  for await (const chunk of text as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}
