import t from 'tap';
import { deviceOf } from '../../../control-plane/sessions/devices/device.js';

t.test('a device has the names that people know', (t) => {
  const mozilla = 'Mozilla/5.0';
  const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';
  const devices: [string | null, string][] = [
    [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/120.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`${mozilla} (Windows NT 10.0; Win64; x64) ${webkit} Chrome/120.0 Safari/537.36 Edg/120.0`, 'Edge on Windows'],
    [`${mozilla} (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0`, 'Firefox on Linux'],
    [`${mozilla} (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/17.1 Safari/605.1.15`, 'Safari on macOS'],
    [
      `${mozilla} (iPhone; CPU iPhone OS 17_1 like Mac OS X) ${webkit} Version/17.1 Mobile/1 Safari/604.1`,
      'Safari on iOS',
    ],
    [`${mozilla} (iPad; CPU OS 17_1 like Mac OS X) ${webkit} CriOS/120.0 Mobile/1 Safari/604.1`, 'Chrome on iPadOS'],
    [
      `${mozilla} (Linux; Android 14; SM-S901B) ${webkit} SamsungBrowser/23.0 Chrome/115 Safari/1`,
      'Samsung Internet on Android',
    ],
    [`${mozilla} (X11; CrOS x86_64) ${webkit} Chrome/120.0 Safari/537.36`, 'Chrome on ChromeOS'],
    [`${mozilla} (Windows NT 10.0) ${webkit} Chrome/120 Safari/537.36 OPR/106`, 'Opera on Windows'],
    [`${mozilla} (something else)`, 'Unknown browser'],
    ['curl/8.5.0', 'curl'],
    [null, 'Unknown device'],
    ['', 'Unknown browser'],
    ['x'.repeat(300), 'x'.repeat(40)],
  ];
  for (const [userAgent, device] of devices) t.equal(deviceOf(userAgent), device, String(userAgent));
  t.end();
});
