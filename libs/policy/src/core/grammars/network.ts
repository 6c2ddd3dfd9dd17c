import type { Grammar, ToolUse } from '../grammar/tool.js';
import { curl } from './curl.js';
import { asksAbout, fromVerb } from './verbs.js';
import { wget } from './wget.js';

const REMOTE = /^([^/:]+@)?[^/:]+:|^rsync:\/\//;

function studyRsync(use: ToolUse): void {
  const texts = use.texts();
  const remote = texts.filter((text) => REMOTE.test(text));
  if (remote.length > 0) return use.fire('network.remote-shell', `rsync ${remote.join(' ')}`);
  use.paths(texts.slice(0, -1), 'read');
  const target = texts.at(-1);
  if (target !== undefined && texts.length > 1) {
    use.path(target, 'write');
    use.fire('write.unseen', 'rsync');
  }
}

const rsync: Grammar = {
  flags: `-v --verbose -q --quiet -c --checksum -a --archive -r --recursive -R --relative --no-relative -b --backup -u --update --inplace
    --append -d --dirs -l --links --safe-links -H --hard-links -p --perms -E --executability -A --acls -X --xattrs -o --owner -g --group -D
    --devices --specials -t --times -O --omit-dir-times -J --omit-link-times -S --sparse --preallocate -n --dry-run -W --whole-file -x
    --one-file-system --existing --ignore-existing -m --prune-empty-dirs --numeric-ids -I --ignore-times --size-only -y --fuzzy -z
    --compress -C --cvs-exclude -0 --from0 --stats -8 -h --human-readable --progress -P --partial -i --itemize-changes --list-only -4 -6
    --no-motd --munge-links --no-perms --no-owner --no-group --no-times --no-links --no-recursive --no-relative --no-devices --no-specials
    --no-implied-dirs --no-inc-recursive --inc-recursive --no-whole-file --append-verify --mkpath --super --fake-super --open-noatime --crtimes
    --atimes -U -N --ignore-missing-args --delay-updates --ignore-errors --no-compress --blocking-io --no-blocking-io --fsync --ipv4 --ipv6
    --secluded-args -s --old-args --trust-sender --no-D --no-o --no-g --no-p --no-t --no-l --no-r --no-v --partial-progress --qsort`,
  options: {
    '-e --rsh': 'program',
    '--rsync-path': 'program',
    '--remove-source-files': ['flag', 'delete.unseen'],
    '--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --force': ['flag', 'delete.unseen'],
    '-L --copy-links': ['flag', 'links.follow'],
    '-k --copy-dirlinks': ['flag', 'links.follow'],
    '-K --keep-dirlinks': ['flag', 'links.follow'],
    '--copy-unsafe-links': ['flag', 'links.follow'],
    '--exclude --include -f --filter --chmod --chown --out-format --log-file-format --bwlimit --timeout --max-size --min-size': 'text',
    '--compress-choice --zc --zl --checksum-choice --cc --checksum-seed --stop-after --stop-at --usermap --groupmap --iconv --contimeout --outbuf -@ --skip-compress --max-alloc --early-input':
      'text',
    '--suffix': 'suffix',
    '-M --remote-option': ['text', 'network.unclear'],
    '--delete-missing-args': ['flag', 'delete.unseen'],
    '--write-batch --only-write-batch': 'side',
    '--read-batch': ['read', 'write.unseen'],
    '--compress-level --modify-window --block-size -B --max-delete --info --debug': 'text',
    '--exclude-from --include-from': 'read',
    '--files-from': 'names',
    '--backup-dir --partial-dir -T --temp-dir --compare-dest --copy-dest --link-dest': 'write',
    '--log-file': 'side',
    '--password-file': ['read', 'network.credential'],
    '--daemon': ['flag', 'process.leave'],
    '--sockopts --port --address': ['text', 'network.unclear'],
  },
  operands: 'study',
  study: studyRsync,
};

const gh: Grammar = {
  style: 'none',
  operands: 'study',
  study: studyGh,
};

const GH_READS = new Set(
  `pr list|pr view|pr status|pr diff|pr checks|issue list|issue view|issue status|repo view|repo list|release list|release view|run list|run view
   |run watch|workflow list|workflow view|search code|search issues|search prs|search repos|search commits|label list|cache list|status
   |pr create|issue create|issue comment|pr comment|pr review|pr merge|pr close|pr edit|pr ready|pr checkout|issue edit|issue close|repo clone
   |run download|release download|run rerun|workflow run|pr update-branch`
    .split('|')
    .map((text) => text.trim()),
);

/** Known verbs of the forge connect and ask; what uploads files, hands out tokens or changes access is refused. */
function studyGh(use: ToolUse): void {
  const words = use.texts().filter((text) => !text.startsWith('-'));
  const verb = words.slice(0, 2).join(' ');
  use.argv.forEach((word, at) => {
    if (word === '-F' || word === '--body-file') use.path(use.argv[at + 1] ?? '', 'read');
    if (word.startsWith('--body-file=')) use.path(word.slice(12), 'read');
  });
  if (GH_READS.has(verb) || GH_READS.has(words[0] ?? '')) return use.fire('network.connect', `the forge (gh ${verb})`);
  if (/^(auth|secret|variable|ssh-key|gpg-key|codespace|extension|alias|config|attestation)\b/.test(verb))
    return use.fire('network.credential', `gh ${verb}`);
  if (/^(gist|release|repo|ruleset|project|copilot)\b/.test(verb)) return use.fire('network.upload', `gh ${verb}`);
  if (words[0] === undefined) return;
  use.fire('network.unclear', `gh ${verb}`);
}

/** Tools that connect to other machines. */
export const NETWORK_TOOLS: Readonly<Record<string, Grammar>> = {
  curl,
  wget,
  rsync,
  'gh glab': gh,
  'aws gcloud az doctl oci ibmcloud linode-cli hcloud scw': {
    style: 'none',
    operands: 'study',
    study: (use) => {
      use.fire('network.connect', `the cloud (${use.name})`);
      const text = use.texts().join(' ');
      if (
        /\b(cp|sync|mv|upload|put-object|rsync|publish|deploy|get-secret-value|access-secret|print-access-token|get-login|configure)\b/.test(
          text,
        )
      ) {
        use.fire('network.upload', `${use.name} ${text}`);
      }
      for (const word of use.texts()) if (/^file(b)?:\/\//.test(word)) use.path(word.replace(/^fileb?:\/\//, ''), 'read');
    },
  },
  openssl: {
    style: 'none',
    operands: 'study',
    study: (use) => {
      if (asksAbout(use)) return;
      const [verb = ''] = fromVerb(use);
      if (/^s_(client|server|time)$|^(ocsp|ts|cmp)$/.test(verb)) return use.fire('network.raw', `openssl ${verb}`);
      use.fire('subcommand.unknown', `openssl ${verb}`);
    },
  },
};
