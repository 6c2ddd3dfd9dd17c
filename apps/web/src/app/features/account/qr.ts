/** A QR code as a path of squares: drawn by the page itself, so that the key goes nowhere else. */
export interface Picture {
  readonly box: string;
  readonly path: string;
}

/** Free modules around the code, as readers want them. */
const QUIET = 4;

/** The encoder is loaded only where somebody sets up an authenticator. */
export async function qrOf(text: string): Promise<Picture> {
  const { encode } = await import('uqr');
  const { data, size } = encode(text, { border: 0, ecc: 'M' });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${String(x)} ${String(y)}h1v1h-1z` : '')));
  const side = String(size + 2 * QUIET);
  return { box: `${String(-QUIET)} ${String(-QUIET)} ${side} ${side}`, path: squares.join('') };
}
