/** The end of a time-ordered id, where ids of one moment differ: `e7c4-08aa`. */
export function shortId(id: string): string {
  const bare = id.replaceAll('-', '').slice(-8);
  return `${bare.slice(0, 4)}-${bare.slice(4)}`;
}
