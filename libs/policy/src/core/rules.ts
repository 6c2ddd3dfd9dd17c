import type { Effect } from '#contracts';
import type { Level, RuleRow } from './policy-document.js';

const row =
  (level: Level, risk: RuleRow['risk']) =>
  (says: string, effect?: Effect): RuleRow =>
    effect === undefined ? { level, risk, says } : { level, risk, says, effect };

const read = row('read', 'low');
const work = row('work', 'medium');
const ask = row('grave', 'medium');
const grave = row('grave', 'high');
const never = row('never', 'high');

const ORDINARY = {
  'read.only': read('It only reads, inside the workspace.', 'read'),
  'write.workspace': work('It writes {}.', 'write'),
  'write.side': ask('{} writes a file, although this tool is one that reads.', 'write'),
  'write.unseen': ask('{} decides by itself which files it writes.', 'write'),
  'move.workspace': work('It moves {}.', 'write'),
  'delete.workspace': work('It deletes {}.', 'delete'),
  'delete.tree': ask('It deletes {} with all that is in it, and that is not known to be generated.', 'delete'),
  'delete.unseen': ask('{} deletes files that are not named in the command.', 'delete'),
  'project.code': work('It runs code of the workspace: {}.', 'execute_project_code'),
  'project.script': work('It runs {}.', 'execute_project_code'),
  'project.build-file': ask('It runs whatever the build file says, even for a dry run: {}.', 'execute_project_code'),
  'project.settings': grave('{} changes what this command runs or where it connects.', 'execute_project_code'),
  'project.package-manager': ask('{} first loads code that the workspace names, even to print its version.', 'execute_project_code'),
  'sandbox.missing': grave('This machine cannot fully contain code of the workspace.'),
} as const satisfies Record<string, RuleRow>;

const UNKNOWN = {
  'tool.unknown': grave('{} is not a tool that this policy knows.'),
  'tool.builtin': never('{} is part of a shell, not a program.'),
  'subcommand.unknown': grave('{} is not a subcommand that this policy knows.'),
  'option.unknown': grave('{} is not an option that this policy knows.'),
  'operand.unexpected': grave('The word {} is not expected here.'),
  'operands.unseen': grave('{} takes its operands from elsewhere; they cannot be checked beforehand.'),
  'language.unread': grave('The program text of {} could not be fully understood.'),
  'wrapper.depth': never('The command is wrapped too many times.'),
  'wrapper.empty': grave('{} is given no command.'),
} as const satisfies Record<string, RuleRow>;

const RUNS = {
  'inline.code': grave('{} runs program text from the command line.', 'execute_inline'),
  'inline.stdin': grave('{} runs program text from its standard input.', 'execute_inline'),
  'inline.file': grave('{} runs program text from a file that is not examined.', 'execute_inline'),
  'download.run': never('A download is piped into {}.', 'execute_inline'),
  'exec.option': never('{} runs another program.', 'execute_inline'),
  'exec.wrapped': grave('{} runs another program on what it finds.', 'execute_inline'),
  'exec.elsewhere': never('{} runs a program in folders that cannot be named beforehand.', 'execute_inline'),
  'exec.script': never('{} has neither a program header nor an interpreter line; it would run in a shell.', 'execute_inline'),
  'interactive.tool': never('{} is made for a person at a terminal and can start other programs.', 'execute_inline'),
  'shell.compound': grave('The text given to {} is more than plain commands.', 'execute_inline'),
} as const satisfies Record<string, RuleRow>;

const CLASSES = {
  'privilege.tool': never('{} changes who the command runs as.', 'privilege'),
  'privilege.mode': never('{} sets a set-user or set-group bit.', 'privilege'),
  'privilege.owner': never('{} changes the owner of files.', 'privilege'),
  'mount.tool': never('{} changes mounts or devices.', 'privilege'),
  'service.tool': never('{} controls services or the machine.', 'privilege'),
  'persistence.tool': never('{} leaves something that runs later.', 'privilege'),
  'process.leave': never('{} leaves the run that is watched.', 'process'),
  'process.environment': grave('{} shows the environment of other processes.', 'environment'),
  'process.signal': grave('{} signals other processes.', 'process'),
  'process.signal-all': never('{} signals every process or the first one.', 'process'),
  'container.run': never('{} hands the machine to a container engine.', 'privilege'),
  'container.change': grave('{} changes containers outside the workspace.', 'process'),
  'container.read': read('{} asks the container engine.', 'read'),
  'system.packages': never('{} changes the software of the machine.', 'privilege'),
  'system.change': never('{} changes the machine itself.', 'privilege'),
} as const satisfies Record<string, RuleRow>;

const NETWORK = {
  'network.connect': grave('It connects to {}.', 'network'),
  'network.listen': grave('{} opens a port.', 'network'),
  'network.upload': never('{} sends data or publishes to the network.', 'network'),
  'network.raw': never('{} opens a raw connection.', 'network'),
  'network.remote-shell': never('{} works on another machine, where nothing contains it.', 'network'),
  'network.scheme': never('{} is not an address this policy lets a command use.', 'network'),
  'network.unclear': never('{} hides where the connection goes or how it is protected.', 'network'),
  'network.credential': never('{} hands out or uses a stored credential.', 'network'),
  'packages.install': grave('{} downloads packages and may run their install scripts.', 'network'),
  'packages.fetch-and-run': grave('{} may download a package and run it.', 'network'),
} as const satisfies Record<string, RuleRow>;

const GIT = {
  'git.work': work('{} changes the repository.', 'write'),
  'git.hooks': read('{}'),
  'git.refs': ask('{} deletes or rewrites refs.', 'delete'),
  'git.discard': ask('{} throws away work that is not committed.', 'delete'),
  'git.remote': grave('{} changes where this repository connects.', 'write'),
  'git.global-option': never('{} changes which repository, settings or helpers git uses.'),
  'git.program': never('{} makes git run another program.', 'execute_inline'),
  'git.signing': grave('{} makes git run a signing program.', 'execute_inline'),
  'git.no-index': never('{} compares files outside any repository.'),
  'git.settings-write': never('{} changes settings of git.', 'write'),
  'git.settings': grave('The setting {} of this repository runs a program or redirects git.', 'execute_project_code'),
  'git.alias': grave('{} is an alias of this repository.', 'execute_project_code'),
  'git.foreign': never('{} of this repository lies outside the workspace or is not what it seems.'),
  'git.unlisted-remote': grave('{} is not a remote of this repository.', 'network'),
  'git.internal': never('{} is a helper of git that nobody calls by hand.'),
} as const satisfies Record<string, RuleRow>;

const PATHS = {
  'path.outside': never('{} is outside the workspace.'),
  'path.home': never('{} starts with a tilde; give the path itself.'),
  'path.magic': never('{} is a window into devices or processes.'),
  'path.too-long': never('{} is longer than any path can be.'),
  'path.loop': never('{} is a loop of links.'),
  'path.root': never('{} is the workspace itself.', 'delete'),
  'path.git': never('{} belongs to the inside of a git repository.'),
  'path.git-list': grave('{} belongs to the inside of a git repository.'),
  'path.own-data': never('{} belongs to the state of this server.'),
  'path.later': grave('{} is a file that other tools run or obey later.', 'write'),
  'path.secret': grave('{} is where secrets are kept.'),
  'path.secret-below': grave('The folder holds {}, where secrets are kept.'),
  'path.protected-below': grave('The folder holds {}, which is protected.'),
  'path.link-below': never('The folder holds {}, a link that leads out of the workspace, and this tool follows links.'),
  'path.hard-link': grave('{} is one name of a file that has other names, perhaps outside the workspace.'),
  'path.special': grave('{} is not an ordinary file.'),
  'path.stray': grave('{} looks like a path outside the workspace.'),
  'path.escape': never('{} lets names lead out of the workspace.'),
  'path.unclear': grave('{} names files in a way that cannot be resolved beforehand.'),
  'links.follow': never('{} follows links, which can lead out of the workspace.'),
} as const satisfies Record<string, RuleRow>;

const FORM = {
  'env.not-allowed': never('The variable {} may not be set.', 'environment'),
  'env.cleared': grave('{} drops the environment that was prepared for the run.', 'environment'),
  'env.set': read('It sets {}.', 'environment'),
  'display.hidden': never('{} holds characters that a person cannot see or that change how the line is shown.'),
  'display.line-break': never('{} holds a line break; only a message may.'),
  'display.surrogate': never('{} holds half of a character.'),
  'display.look-alike': never('{} mixes alphabets, so that it can look like something else.'),
  'display.blank': ask('{} holds a blank that is not an ordinary space.'),
  'display.mixed': ask('{} mixes alphabets inside one word, so that it can look like another name.'),
  'limit.stages': never('The command has too many stages.'),
  'limit.words': never('The command has too many words.'),
  'limit.word-size': never('A word of the command is too long.'),
  'limit.total-size': never('The command is too long.'),
  'command.empty': never('There is no command.'),
  'command.syntax': never('The command is not understood: {}.'),
  'input.invalid': never('{}'),
} as const satisfies Record<string, RuleRow>;

/** Every rule that the analysis can name, and how serious it is in the built-in policy. */
export const RULES = { ...ORDINARY, ...UNKNOWN, ...RUNS, ...CLASSES, ...NETWORK, ...GIT, ...PATHS, ...FORM } as const;
export type RuleId = keyof typeof RULES;
