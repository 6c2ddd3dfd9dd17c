// The built product with the fixture module added: same controller, guards and registry. Prints `listening PORT TOKEN` on one line.
import './typescript.mjs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const built = (path) => import(pathToFileURL(join(root, 'dist/server', path)).href);

const { createApp } = await built('apps/api/src/create-app.js');
const { Tokens } = await built('libs/auth/src/index.js');
const { PlatformConfig } = await built('libs/platform/src/index.js');
const { ConformanceModule } = await import('./fixtures/conformance.module.ts');

const { app } = await createApp([ConformanceModule]);
const { host, port } = app.get(PlatformConfig);
await app.listen(port, host);
const { secret } = await app.get(Tokens).createFirst();
console.log(`listening ${app.getHttpServer().address().port} ${secret}`);
