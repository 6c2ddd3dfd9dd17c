import type { ToolUse } from '../grammar/tool-use.js';
import type { Grammar } from '../grammar/types.js';
import { asksAbout, fromVerb } from './verbs.js';

/** Options of curl whose value can name a file to send, and how. */
const SENDS: Readonly<Record<string, RegExp>> = {
  '-d': /^@(.*)$/s,
  '--data-binary': /^@(.*)$/s,
  '--json': /^@(.*)$/s,
  '--data-urlencode': /^[^=@]*@(.*)$/s,
  '--url-query': /^[^=@]*@(.*)$/s,
  '-F': /^[^=]*=[@<](.*?)(?:;.*)?$/s,
};

function judgeSent(use: ToolUse, option: string, as: string, text: string): void {
  const file = SENDS[option]?.exec(text)?.[1];
  if (file === undefined) return;
  use.fire('network.upload', `curl ${as} ${text}`);
  if (file !== '') use.path(file, 'read');
}

function studyCurl(use: ToolUse): void {
  for (const { option, as, value } of use.options) {
    if (value === null) continue;
    judgeSent(use, option.name, as, value);
    if (['-H', '--proxy-header', '-w', '-b'].includes(option.name) && value.startsWith('@')) use.path(value.slice(1), 'read');
    if (option.name === '-b' && !value.includes('=')) use.path(value, 'read');
    if (option.name === '-w' && /%output\{/.test(value)) use.fire('write.unseen', 'curl -w');
    if (option.name === '-X' && !/^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/i.test(value)) use.fire('option.unknown', `curl -X ${value}`);
  }
  if (use.has('-O', '--remote-name-all')) use.fire('write.unseen', 'curl -O');
  if (use.operands.length === 0 && !use.has('--url')) use.fire('operand.unexpected', 'curl');
}

const curl: Grammar = {
  flags: `-a --append --anyauth --basic --cert-status --compressed --create-dirs --crlf --digest -q --disable --disallow-username-in-url -f
    --fail --fail-early --fail-with-body --form-escape -G --get -g --globoff -I --head --http0.9 -0 --http1.0 --http1.1 --http2
    --http2-prior-knowledge --http3 --http3-only --ignore-content-length -i --include -4 --ipv4 -6 --ipv6 -j --junk-session-cookies
    --no-alpn -N --no-buffer --no-clobber --no-keepalive --no-progress-meter --no-sessionid -Z --parallel --parallel-immediate --path-as-is
    --post301 --post302 --post303 -# --progress-bar --raw -R --remote-time --remove-on-error --retry-all-errors
    --retry-connrefused -S --show-error -s --silent --ssl-reqd --styled-output --suppress-connect-headers --tcp-fastopen --tcp-nodelay
    --tlsv1.2 --tlsv1.3 --tr-encoding --trace-time --trace-ids --use-ascii -B -v --verbose -V -M --manual --skip-existing -l --list-only`,
  about: '-V -M',
  options: {
    '--url': 'url',
    '-L --location': 'flag',
    '-X --request': 'text',
    '-H --header': 'text',
    '-A --user-agent': 'text',
    '-e --referer': 'text',
    '-r --range': 'text',
    '-C --continue-at': 'text',
    '-m --max-time': 'text',
    '--connect-timeout': 'text',
    '--expect100-timeout': 'text',
    '--keepalive-time': 'text',
    '--limit-rate': 'text',
    '--max-filesize': 'text',
    '--max-redirs': 'text',
    '--parallel-max': 'text',
    '--rate': 'text',
    '--retry': 'text',
    '--retry-delay': 'text',
    '--retry-max-time': 'text',
    '-Y --speed-limit': 'text',
    '-y --speed-time': 'text',
    '--tls-max': 'text',
    '--ciphers': 'text',
    '--curves': 'text',
    '-z --time-cond': 'text',
    '-w --write-out': 'text',
    '--variable': ['text', 'network.unclear'],
    '--proto': 'text',
    '--proto-redir': 'text',
    '--create-file-mode': 'text',
    '-h --help': 'text?',
    // what is written
    '-o --output': 'side',
    '--output-dir': 'folder',
    '-O --remote-name': 'flag',
    '--remote-name-all': 'flag',
    '-J --remote-header-name': ['flag', 'write.unseen'],
    '-D --dump-header': 'side',
    '-c --cookie-jar': 'side',
    '--etag-save': 'side',
    '--etag-compare': 'read',
    '--hsts': 'side',
    '--alt-svc': 'side',
    '--libcurl': 'side',
    '--stderr': 'side',
    '--trace': 'side',
    '--trace-ascii': 'side',
    '--xattr': ['flag', 'write.unseen'],
    // what is sent
    '-b --cookie': 'text',
    '-d --data --data-ascii': 'text',
    '--data-raw --form-string': 'text',
    '--data-binary': 'text',
    '--data-urlencode': 'text',
    '--json': 'text',
    '--url-query': 'text',
    '-F --form': 'text',
    '-T --upload-file': ['read', 'network.upload'],
    // who one is
    '-u --user': ['text', 'network.credential'],
    '-U --proxy-user': ['text', 'network.credential'],
    '--oauth2-bearer': ['text', 'network.credential'],
    '--aws-sigv4': ['text', 'network.credential'],
    '-E --cert': ['text', 'network.credential'],
    '--key': ['text', 'network.credential'],
    '--pass': ['text', 'network.credential'],
    '-n --netrc': ['flag', 'network.credential'],
    '--netrc-optional': ['flag', 'network.credential'],
    '--netrc-file': ['text', 'network.credential'],
    '--negotiate --ntlm --ntlm-wb': ['flag', 'network.credential'],
    '--delegation --krb --sasl-authzid --tlsuser --tlspassword --login-options': ['text', 'network.credential'],
    '--location-trusted': ['flag', 'network.credential'],
    // where it really goes
    '-K --config': ['text', 'network.unclear'],
    '-k --insecure': ['flag', 'network.unclear'],
    '--proxy-insecure --doh-insecure --ssl-allow-beast --ssl-no-revoke': ['flag', 'network.unclear'],
    '-x --proxy': ['text', 'network.unclear'],
    '--preproxy --socks4 --socks4a --socks5 --socks5-hostname --proxy1.0': ['text', 'network.unclear'],
    '-p --proxytunnel': ['flag', 'network.unclear'],
    '--resolve --connect-to --dns-servers --dns-interface --dns-ipv4-addr --dns-ipv6-addr --doh-url': ['text', 'network.unclear'],
    '--interface --local-port --haproxy-clientip': ['text', 'network.unclear'],
    '--unix-socket --abstract-unix-socket': ['text', 'network.unclear'],
    '--cacert --capath --crlfile --pinnedpubkey --engine': ['text', 'network.unclear'],
    '--proto-default --request-target --noproxy': ['text', 'network.unclear'],
    '-Q --quote --telnet-option -t': ['text', 'network.unclear'],
    '--mail-from --mail-rcpt --mail-auth': ['text', 'network.upload'],
    '-P --ftp-port': ['text', 'network.unclear'],
    '-: --next': 'flag',
  },
  operands: 'url*',
  study: studyCurl,
};

function studyWget(use: ToolUse): void {
  if (!use.has('-O', '--spider')) use.fire('write.unseen', 'wget');
}

const wget: Grammar = {
  flags: `-q --quiet -v --verbose -nv --no-verbose -F --force-html --no-config --no-netrc -c --continue --show-progress -N --timestamping
    --no-if-modified-since --no-use-server-timestamps -S --server-response --retry-connrefused -nc --no-clobber --random-wait
    --no-proxy --no-dns-cache --ignore-case -4 --inet4-only -6 --inet6-only --no-iri --unlink -nd --no-directories -x --force-directories -nH
    --no-host-directories --protocol-directories --no-cache -E --adjust-extension --ignore-length --save-headers --no-http-keep-alive
    --no-cookies --keep-session-cookies --content-on-error --https-only --no-hsts --no-remove-listing --no-glob
    --no-passive-ftp -k --convert-links -K --backup-converted -p --page-requisites --strict-comments -L --relative -np --no-parent -d --debug
    -V -h --no-warc-compression --no-warc-digests`,
  about: '-V -h',
  options: {
    '-O --output-document': 'side',
    '--spider': 'flag',
    '-P --directory-prefix': 'folder',
    '-o --output-file': 'side',
    '-a --append-output': 'side',
    '--rejected-log': 'side',
    '--save-cookies': 'side',
    '--load-cookies': 'read',
    '--warc-file': 'side',
    '--hsts-file': 'side',
    '-t --tries': 'text',
    '-T --timeout': 'text',
    '--dns-timeout': 'text',
    '--connect-timeout': 'text',
    '--read-timeout': 'text',
    '-w --wait': 'text',
    '--waitretry': 'text',
    '-Q --quota': 'text',
    '--limit-rate': 'text',
    '--progress': 'text',
    '--restrict-file-names': 'text',
    '--prefer-family': 'text',
    '--start-pos': 'text',
    '--report-speed': 'text',
    '--retry-on-http-error': 'text',
    '--cut-dirs': 'text',
    '--default-page': 'text',
    '--header': 'text',
    '--compression': 'text',
    '--max-redirect': 'text',
    '--referer': 'text',
    '-U --user-agent': 'text',
    '--method': 'text',
    '--body-data': 'text',
    '--post-data': 'text',
    '-l --level': 'text',
    '-A --accept': 'text',
    '-R --reject': 'text',
    '--accept-regex': 'text',
    '--reject-regex': 'text',
    '--regex-type': 'text',
    '-D --domains': 'text',
    '--exclude-domains': 'text',
    '-I --include-directories': 'text',
    '-X --exclude-directories': 'text',
    '--secure-protocol': 'text',
    '-r --recursive': ['flag', 'network.unclear'],
    '-m --mirror': ['flag', 'network.unclear'],
    '-H --span-hosts': ['flag', 'network.unclear'],
    '-b --background': ['flag', 'process.leave'],
    '-e --execute': ['text', 'network.unclear'],
    '--config': ['text', 'network.unclear'],
    '-i --input-file': ['text', 'network.unclear'],
    '-B --base': ['text', 'network.unclear'],
    '--trust-server-names': ['flag', 'write.unseen'],
    '--content-disposition': ['flag', 'write.unseen'],
    '--delete-after': ['flag', 'delete.unseen'],
    '--use-askpass': 'program',
    '--post-file': ['read', 'network.upload'],
    '--body-file': ['read', 'network.upload'],
    '--user --password --http-user --http-password --proxy-user --proxy-password --ftp-user --ftp-password': ['text', 'network.credential'],
    '--ask-password': ['flag', 'network.credential'],
    '--certificate --private-key': ['text', 'network.credential'],
    '--auth-no-challenge': ['flag', 'network.credential'],
    '--no-check-certificate': ['flag', 'network.unclear'],
    '--ca-certificate --ca-directory --crl-file --pinnedpubkey --ciphers --bind-address': ['text', 'network.unclear'],
    '--follow-ftp --retr-symlinks --ftps-implicit': ['flag', 'network.unclear'],
  },
  operands: 'url*',
  study: studyWget,
};

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
    --no-motd --munge-links --no-perms --no-owner --no-group --no-times`,
  options: {
    '-e --rsh': 'program',
    '--rsync-path': 'program',
    '--remove-source-files': ['flag', 'delete.unseen'],
    '--delete --del --delete-before --delete-during --delete-delay --delete-after --delete-excluded --force': ['flag', 'delete.unseen'],
    '-L --copy-links': ['flag', 'links.follow'],
    '-k --copy-dirlinks': ['flag', 'links.follow'],
    '-K --keep-dirlinks': ['flag', 'links.follow'],
    '--copy-unsafe-links': ['flag', 'links.follow'],
    '--exclude --include -f --filter --chmod --chown --out-format --log-file-format --bwlimit --timeout --max-size --min-size --suffix':
      'text',
    '--compress-level --modify-window --block-size -B --max-delete --info --debug': 'text',
    '--exclude-from --include-from': 'read',
    '--files-from': 'names',
    '--backup-dir --partial-dir -T --temp-dir --compare-dest --copy-dest --link-dest': 'write',
    '--log-file': 'side',
    '--password-file': ['read', 'network.credential'],
    '--daemon': ['flag', 'network.listen'],
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
