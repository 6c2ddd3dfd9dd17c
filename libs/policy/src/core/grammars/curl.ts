import type { Grammar, ToolUse } from '../grammar/tool.js';

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
    if (['-H', '--proxy-header'].includes(option.name) && value.startsWith('@')) use.fire('network.upload', `curl ${as} ${value}`);
    if (['-H', '--proxy-header', '-w', '-b'].includes(option.name) && value.startsWith('@')) use.path(value.slice(1), 'read');
    if (option.name === '-b' && !value.includes('=')) use.path(value, 'read');
    if (option.name === '-w') for (const [, file = ''] of value.matchAll(/%output\{(?:>>)?([^}]*)\}?/g)) use.path(file, 'side');
    if (option.name === '-X' && !/^(GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/i.test(value)) use.fire('option.unknown', `curl -X ${value}`);
  }
  if (use.has('-O', '--remote-name-all')) use.fire('write.unseen', 'curl -O');
  if (use.operands.length === 0 && !use.has('--url')) use.fire('operand.unexpected', 'curl');
}

export const curl: Grammar = {
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
