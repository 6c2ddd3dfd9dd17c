import { lstat, realpath, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Injectable } from '@nestjs/common';
import { liesBelow } from '../core/temp-resources.js';
import { SessionFolders } from '../driving.ports.js';

/** The second proof of containment: where the folder really lies. */
@Injectable()
export class DiskSessionFolders extends SessionFolders {
  override async remove(root: string, path: string): Promise<boolean> {
    if (!liesBelow(root, path)) return false;
    try {
      const [realRoot, realParent, fact] = await Promise.all([realpath(root), realpath(dirname(path)), lstat(path)]);
      const isHere = realRoot === root && (realParent === realRoot || liesBelow(realRoot, realParent));
      if (!isHere || !fact.isDirectory()) return false; // a link is not followed and not removed
      await rm(path, { recursive: true, force: true });
      return true;
    } catch {
      return false; // it is not there, or may not be touched: then it stays
    }
  }
}
