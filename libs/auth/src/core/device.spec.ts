import { deviceOf } from './device.js';
import { passkeySiteOf } from './passkey-site.js';

it.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36 Edg/140.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36', 'Chrome on Android'],
  ['curl/8.9.1', 'curl'],
  ['<script>alert(1)</script>', 'Unknown device'],
  [undefined, 'Unknown device'],
])('knows %s', (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});

it.each([
  ['https://countersign.example/base', 'countersign.example'],
  ['http://localhost:7300', 'localhost'],
  ['http://127.0.0.1:7300', undefined],
  ['https://[::1]:7300', undefined],
  ['http://countersign.example', undefined],
])('browsers keep passkeys at %s for %s', (url, rpId) => {
  expect(passkeySiteOf(url)?.rpId).toBe(rpId);
});
