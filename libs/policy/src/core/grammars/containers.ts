import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { judgeUrl } from '../network/url.js';
import { asksAbout, fromVerb } from './verbs.js';

const ENGINE_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  '-H --host': ['text', 'network.unclear'],
  '-c --context': ['text', 'network.unclear'],
  // Its folder also holds plug-ins and helpers that hand out credentials.
  '--config': ['text', 'exec.option'],
  '--tlscacert --tlscert --tlskey': ['text', 'network.credential'],
  '-l --log-level': 'text',
};

const LIST_FLAGS = '-a --all -q --quiet -l --latest -s --size --no-trunc --digests --tree --services --orphans --images -v --verbose';
const LIST_OPTIONS: Readonly<Record<string, OptionSpec>> = { '-f --filter': 'text', '--format': 'text', '-n --last': 'text' };

const lists: Grammar = { abbreviations: false, flags: LIST_FLAGS, options: LIST_OPTIONS, operands: 'text*', rules: ['container.read'] };
const shows: Grammar = { style: 'none', operands: 'text*', rules: ['container.change'] };
const changes: Grammar = { style: 'none', operands: 'text*', rules: ['container.change'] };
const runs: Grammar = { style: 'none', operands: 'text*', rules: ['container.run'] };
const pulls: Grammar = { style: 'none', operands: 'text*', rules: ['network.connect', 'container.change'] };
const pushes: Grammar = { style: 'none', operands: 'text*', rules: ['network.upload'] };
const signsIn: Grammar = { style: 'none', operands: 'text*', rules: ['network.credential'] };

/** Listing words of a group such as `docker image`; all else of it changes something or runs something. */
function group(listing: string, more: Readonly<Record<string, Grammar>> = {}): Grammar {
  return { commands: { [listing]: lists, ...more }, otherwise: changes };
}

const compose: Grammar = {
  abbreviations: false,
  style: 'posix',
  options: {
    '-f --file': 'read',
    '-p --project-name': 'text',
    '--profile': 'text',
    '--project-directory': 'folder',
    '--env-file': 'read',
    '--ansi': 'text',
  },
  commands: {
    'ps ls images top version': lists,
    'logs config convert port events stats': shows,
    'stop down rm pause unpause kill restart start': changes,
    pull: pulls,
    push: pushes,
    'up run exec create build watch cp attach scale publish': runs,
  },
};

const docker: Grammar = {
  abbreviations: false,
  style: 'posix',
  about: '-v',
  flags: '-D --debug --tls --tlsverify',
  options: ENGINE_OPTIONS,
  commands: {
    'ps images version info': lists,
    'logs inspect top stats port history diff events search wait': shows,
    'stop kill rm rmi restart start pause unpause rename tag update': changes,
    pull: pulls,
    push: pushes,
    'login logout trust': signsIn,
    'run exec create build cp commit attach export save import load swarm builder checkpoint': runs,
    'context stack plugin service secret config node': { commands: { 'ls list': lists }, otherwise: runs },
    buildx: { commands: { 'ls version du': lists }, otherwise: runs },
    help: { operands: 'text*' },
    compose,
    container: group('ls list ps', { 'run exec create cp attach commit export': runs, 'logs inspect top stats port diff': shows }),
    image: group('ls list', { 'build import load save': runs, push: pushes, pull: pulls, 'inspect history': shows }),
    volume: group('ls list', { create: runs, inspect: shows }),
    network: group('ls list', { 'create connect': runs, inspect: shows }),
    system: group('df info', { 'prune events': changes }),
  },
};

const CLUSTER: Readonly<Record<string, OptionSpec>> = {
  '-n --namespace': 'text',
  '--context --cluster': 'text',
  '--request-timeout': 'text',
  '-o --output': 'text',
  '-l --selector': 'text',
  '--field-selector': 'text',
  '-L --label-columns': 'text',
  '--sort-by': 'text',
  '-c --container': 'text',
  '--tail --since --since-time --limit-bytes --max-log-requests --chunk-size': 'text',
  '-f --filename -k --kustomize': 'text',
  '--template --patch --replicas --image --type --overrides --dry-run --field-manager --cascade --grace-period --timeout --revision --to-revision --for --port --target-port --name --env --command --labels --from-literal':
    'text',
  '--patch-file': 'read',
  '--from-env-file': 'read',
  '--from-file': 'text',
  '--kubeconfig': ['text', 'network.credential'],
  '--token --user --username --password --as --as-group --as-uid --client-key --client-certificate --certificate-authority': [
    'text',
    'network.credential',
  ],
  '-s --server --proxy-url --tls-server-name': ['text', 'network.unclear'],
  '--insecure-skip-tls-verify': ['flag', 'network.unclear'],
  '--cache-dir --profile-output --log-dir --log-file': 'side',
  '-v --v': 'text',
};

const CLUSTER_FLAGS = `-A --all-namespaces -w --watch --watch-only --show-labels --show-kind --no-headers --all-containers --previous -p --timestamps --follow
  --ignore-not-found --recursive -R --show-managed-fields --client --short --minify --raw --flatten --api-group --namespaced --cached --containers --prefix`;

function cluster(rule: 'network.connect' | 'container.run' | 'network.upload' | 'network.credential'): Grammar {
  return { operands: 'text*', study: (use) => studyCluster(use, rule) };
}

function studyCluster(use: ToolUse, rule: 'network.connect' | 'container.run' | 'network.upload' | 'network.credential'): void {
  if (rule === 'network.connect') use.fire(rule, 'the cluster');
  else use.fire(rule);
  for (const file of use.values('-f', '--from-file')) judgeManifest(use, file.replace(/^[^=/]*=/, ''));
  for (const format of use.values('-o')) {
    const file = /^(?:jsonpath|go-template|custom-columns)-file=(.*)$/s.exec(format)?.[1];
    if (file !== undefined) use.path(file, 'read');
  }
  if (use.texts().some((text) => /^secrets?(\/|\.|,|$)|,secrets?/.test(text))) use.fire('path.secret', use.argv.join(' '));
}

const CLUSTER_CHANGES = `--all --force --now --wait --overwrite --server-side --prune --validate --save-config --record --ignore-daemonsets --delete-emptydir-data
  --local --list --force-conflicts`;

const changesCluster: Grammar = {
  flags: CLUSTER_CHANGES,
  operands: 'text*',
  rules: ['container.change'],
  study: (use) => studyCluster(use, 'network.connect'),
};

function rawConfig(use: ToolUse): void {
  if (use.options.some(({ as }) => as === '--raw')) use.fire('network.credential');
}

/** A file or folder of the workspace, or an address. */
function judgeManifest(use: ToolUse, file: string): void {
  if (/^https?:\/\//.test(file)) judgeUrl(use.analysis, file);
  else use.path(file, 'read');
}

const kubectl: Grammar = {
  abbreviations: false,
  shared: true,
  flags: CLUSTER_FLAGS,
  options: CLUSTER,
  commands: {
    'get describe logs top api-resources api-versions cluster-info explain events version auth diff wait': cluster('network.connect'),
    config: {
      commands: {
        view: { operands: 'text*', rules: ['container.change'], study: (use) => rawConfig(use) },
        'get-contexts get-clusters get-users current-context': { operands: 'text*', rules: ['container.change'] },
      },
      otherwise: { style: 'none', operands: 'text*', rules: ['container.change', 'network.connect'] },
    },
    kustomize: { operands: 'read*', rules: ['network.connect'] },
    plugin: { operands: 'text*', rules: ['exec.option'] },
    'completion options help': { operands: 'text*', rules: ['container.change'] },
    create: {
      flags: CLUSTER_CHANGES,
      commands: { token: { style: 'none', operands: 'text*', rules: ['network.credential'] } },
      otherwise: changesCluster,
      study: (use) => {
        if (use.next >= use.argv.length) studyCluster(use, 'network.connect');
      },
    },
    'apply delete patch replace scale rollout set label annotate expose autoscale taint cordon uncordon drain certificate': changesCluster,
    edit: { style: 'none', operands: 'text*', rules: ['interactive.tool'] },
    'exec run attach cp port-forward proxy debug': { style: 'none', operands: 'text*', rules: ['container.run'] },
  },
};

const helm: Grammar = {
  style: 'none',
  operands: 'study',
  study: (use) => {
    if (asksAbout(use)) return;
    const [verb = ''] = fromVerb(use);
    if (/^(push|registry|login|plugin)$/.test(verb)) return use.fire('network.upload', `helm ${verb}`);
    use.fire('network.connect', 'the cluster or a chart repository');
    if (!/^(list|ls|status|history|get|search|show|template|lint)$/.test(verb)) use.fire('container.change', `helm ${verb}`);
  },
};

/** Container engines and clusters. */
export const CONTAINERS: Readonly<Record<string, Grammar>> = {
  docker,
  'docker-compose': compose,
  'kubectl oc': kubectl,
  helm,
};
