import t from 'tap';
import { LOGO_BYTES_MAX, readLogo } from '../../../control-plane/logo/logo.js';
import { startReportsApp } from '../../helpers/client-reports/app.js';
import { textOf } from '../../helpers/client-reports/pdf.js';
import { dataUrl, pictureOf, pngChunk, pngOf } from '../../helpers/client-reports/pictures.js';

const app = await startReportsApp();
t.teardown(() => app.stop());
const plain = await app.made();
const jpeg = pictureOf((await app.download(plain.id)).bytes, 'jpeg', 20);
const SECRET = 'GPS 48.2082 N, 16.3738 E';
/** A JPEG with a comment and data of a camera behind its first marker. */
const withMetadata = (file: Buffer) => {
  const text = Buffer.from(SECRET);
  const segment = (marker: number) => Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), text]);
  return Buffer.concat([file.subarray(0, 2), segment(0xe1), segment(0xfe), file.subarray(2)]);
};

t.test('a PNG and a JPEG are on the cover and on the page, without what else was in the file', async (t) => {
  const png = pngOf({ chunks: [pngChunk('tEXt', Buffer.from(`Comment\0${SECRET}`))] });
  for (const [type, file] of [
    ['png', png],
    ['jpeg', withMetadata(jpeg)],
  ] as const) {
    const report = await app.made({ branding: { logo: dataUrl(type, file) } });
    t.match(report, { status: 'completed', branding: { color: '#1f4e79', has_logo: true } });
    const { bytes } = await app.download(report.id);
    t.match(bytes.toString('latin1'), '/Subtype /Image');
    t.match(textOf(bytes), /Example Ltd/);
    const { type: readType, bytes: clean } = await readLogo(dataUrl(type, file), '/branding/logo');
    t.equal(readType, type);
    t.notOk(clean.includes(SECRET), 'text in the file is gone');
    const page = (await app.download(report.id, {}, 'preview')).bytes.toString();
    t.ok(page.includes(`<img src="${dataUrl(type, clean)}" alt="">`));
  }
  const { id } = await app.made({ branding: { logo: dataUrl('png', pngOf()) } });
  const cover = pictureOf((await app.download(id)).bytes, 'png', 40);
  t.ok(cover.length > 0);
  t.match(plain.branding, { has_logo: false });
  t.notMatch((await app.download(plain.id)).bytes.toString('latin1'), '/Subtype /Image');
});

t.test('every kind of colour of a PNG is printed', async (t) => {
  const palette = pngChunk('PLTE', Buffer.from([230, 120, 0, 0, 90, 200]));
  const rows = (bytes: number) => Buffer.alloc(20 * (1 + bytes * 60), 0);
  for (const [color, bytes] of [
    [0, 1],
    [2, 3],
    [3, 1],
    [4, 2],
    [6, 4],
  ] as const) {
    const logo = dataUrl('png', pngOf({ color, pixels: rows(bytes), ...(color === 3 ? { chunks: [palette] } : {}) }));
    t.match(await app.made({ branding: { logo } }), { status: 'completed' }, `colour type ${color}`);
  }
});

t.test('pictures that are too large, damaged or no pictures are refused before they are decoded', async (t) => {
  const cut = (file: Buffer, end: number) => file.subarray(0, end);
  const broken = Buffer.from(pngOf());
  broken[40] = (broken[40] ?? 0) ^ 1;
  const jpegOf = (width: number, height: number, channels: number) => {
    const head = Buffer.from([0xff, 0xc0, 0, 11, 8, 0, 0, 0, 0, channels, 0, 0, 0]);
    head.writeUInt16BE(height, 5);
    head.writeUInt16BE(width, 7);
    return Buffer.concat([Buffer.from([0xff, 0xd8]), head, Buffer.from([0xff, 0xda, 0, 2, 1, 0xff, 0xd9])]);
  };
  const cases: [string, string, RegExp][] = [
    [
      '40 megapixels',
      dataUrl('png', pngOf({ width: 8_000, height: 5_000, pixels: Buffer.alloc(9) })),
      /2,000,000 pixels/,
    ],
    ['2^62 pixels', dataUrl('png', pngOf({ width: 2 ** 31, height: 2 ** 31, pixels: Buffer.alloc(9) })), /pixels/],
    ['no pixels', dataUrl('png', pngOf({ width: 0, pixels: Buffer.alloc(9) })), /width/],
    [
      'pixels that inflate to more than its size',
      dataUrl('png', pngOf({ pixels: Buffer.alloc(50_000_000) })),
      /damaged/,
    ],
    ['too few pixels', dataUrl('png', pngOf({ pixels: Buffer.alloc(10) })), /damaged/],
    ['a filter that does not exist', dataUrl('png', pngOf({ pixels: Buffer.alloc(20 * 181, 9) })), /damaged/],
    [
      'a palette picture without a palette',
      dataUrl('png', pngOf({ color: 3, pixels: Buffer.alloc(20 * 61) })),
      /damaged/,
    ],
    ['a colour type that does not exist', dataUrl('png', pngOf({ color: 5 })), /damaged/],
    ['16 bits', dataUrl('png', pngOf({ depth: 16 })), /8 bits/],
    ['interlaced', dataUrl('png', pngOf({ interlaced: 1 })), /interlaced/],
    ['a wrong checksum', dataUrl('png', broken), /damaged/],
    ['cut off', dataUrl('png', cut(pngOf(), 60)), /damaged/],
    [
      'not compressed pixels',
      dataUrl('png', Buffer.concat([pngOf().subarray(0, 33), pngChunk('IDAT', Buffer.from('x'))])),
      /damaged/,
    ],
    ['a chunk of 4 GiB', dataUrl('png', Buffer.concat([pngOf().subarray(0, 33), Buffer.alloc(16, 0xff)])), /damaged/],
    ['a JPEG of 65,535 pixels each way', dataUrl('jpeg', jpegOf(65_535, 65_535, 1)), /2,000,000 pixels/],
    ['CMYK', dataUrl('jpeg', jpegOf(9, 9, 4)), /RGB or grey/],
    ['a JPEG cut off', dataUrl('jpeg', cut(jpeg, jpeg.length - 20)), /damaged/],
    ['a JPEG without a frame', dataUrl('jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xd9])), /damaged/],
    ['SVG as PNG', dataUrl('png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), /damaged/],
    ['a PNG as JPEG', dataUrl('jpeg', pngOf()), /damaged/],
    ['more than 256 KiB', dataUrl('png', Buffer.alloc(LOGO_BYTES_MAX + 2)), /256 KiB/],
    ['SVG', dataUrl('svg+xml', Buffer.from('<svg/>')), /./],
    ['an address', 'https://example.com/logo.png', /./],
    ['a file', 'file:///etc/passwd', /./],
    ['nothing', 'data:image/png;base64,', /./],
    ['300 KiB of base64', `data:image/png;base64,${'A'.repeat(400_000)}`, /./],
  ];
  for (const [what, logo, message] of cases) {
    const answer = await app.create({ branding: { logo } });
    t.match(answer, { status: 422, body: { errors: [{ path: '/branding/logo', message }] } }, what);
    t.ok(answer.text.length < 2_000, 'the picture is not echoed');
  }
});

t.test('the logo goes with its report', async (t) => {
  const created = (await app.create({ branding: { logo: dataUrl('png', pngOf()) } })).body.data;
  t.equal(await app.parts(created.id), 1);
  t.equal((await app.request('DELETE', `/api/v1/client-reports/${created.id}`)).status, 204);
  t.equal(await app.parts(created.id), 0);
});
