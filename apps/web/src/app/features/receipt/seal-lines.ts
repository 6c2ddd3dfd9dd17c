const CENTRE = 48;
const POINTS = 240;

/** Two bands of interleaved waves, as on a banknote; each is one closed line around the centre. */
const BANDS = [
  { radius: 38, height: 5, lobes: 12, turns: 6 },
  { radius: 27, height: 3.25, lobes: 9, turns: 4 },
] as const;

/** The fine lines of the seal as SVG paths on a 96 × 96 ground. Pure: the same seal every time. */
export function sealLines(): readonly string[] {
  return BANDS.flatMap((band) => Array.from({ length: band.turns }, (_, turn) => wave(band, (turn / band.turns) * 2 * Math.PI)));
}

function wave({ radius, height, lobes }: (typeof BANDS)[number], phase: number): string {
  const points = Array.from({ length: POINTS }, (_, index) => {
    const angle = (index / POINTS) * 2 * Math.PI;
    const distance = radius + height * Math.cos(lobes * angle + phase);
    return `${(CENTRE + distance * Math.cos(angle)).toFixed(1)} ${(CENTRE + distance * Math.sin(angle)).toFixed(1)}`;
  });
  return `M${points.join('L')}Z`;
}
