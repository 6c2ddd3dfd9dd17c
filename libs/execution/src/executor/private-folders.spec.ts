import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PrivateFolders } from './private-folders.js';

it('hides the places of later runs from a run that begins before them', () => {
  const folders = new PrivateFolders();
  const known = folders.all; // what is hidden from a run that starts now
  const later = folders.open('later', true);
  expect(known).toContain(dirname(later.scratch));
  expect(known).toContain(dirname(later.path));
  folders.remove(later);
  folders.removeAll();
  expect(known.filter(existsSync)).toEqual([]);
});
