/** Calls that get "not permitted": they look into or steer other processes, change mounts or namespaces, or widen the kernel's surface. */
const DENIED: readonly (readonly [name: string, x64: number | null, arm64: number | null])[] = [
  ['ptrace', 101, 117],
  ['process_vm_readv', 310, 270],
  ['process_vm_writev', 311, 271],
  ['kcmp', 312, 272],
  ['process_madvise', 440, 440],
  ['move_pages', 279, 239],
  ['migrate_pages', 256, 238],
  ['pidfd_getfd', 438, 438],
  ['add_key', 248, 217],
  ['request_key', 249, 218],
  ['keyctl', 250, 219],
  ['bpf', 321, 280],
  ['perf_event_open', 298, 241],
  ['userfaultfd', 323, 282],
  ['unshare', 272, 97],
  ['setns', 308, 268],
  ['mount', 165, 40],
  ['umount2', 166, 39],
  ['pivot_root', 155, 41],
  ['chroot', 161, 51],
  ['open_tree', 428, 428],
  ['move_mount', 429, 429],
  ['fsopen', 430, 430],
  ['fsconfig', 431, 431],
  ['fsmount', 432, 432],
  ['fspick', 433, 433],
  ['mount_setattr', 442, 442],
  ['open_tree_attr', 467, 467],
  ['open_by_handle_at', 304, 265],
  ['fanotify_init', 300, 262],
  ['syslog', 103, 116],
  ['swapon', 167, 224],
  ['swapoff', 168, 225],
  ['reboot', 169, 142],
  ['init_module', 175, 105],
  ['finit_module', 313, 273],
  ['delete_module', 176, 106],
  ['kexec_load', 246, 104],
  ['kexec_file_load', 320, 294],
  ['iopl', 172, null],
  ['ioperm', 173, null],
  ['modify_ldt', 154, null],
  ['uselib', 134, null],
  ['nfsservctl', 180, 42],
  ['name_to_handle_at', 303, 264],
  ['quotactl', 179, 60],
  ['quotactl_fd', 443, 443],
  ['acct', 163, 89],
  ['settimeofday', 164, 170],
  ['clock_settime', 227, 112],
  ['clock_adjtime', 305, 266],
  ['adjtimex', 159, 171],
  ['sethostname', 170, 161],
  ['setdomainname', 171, 162],
  ['vhangup', 153, 58],
  ['lookup_dcookie', 212, 18],
];
/** Calls that programs fall back from when the kernel does not have them. `clone3` hides its flags from filters. */
const ABSENT = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, clone3: 435 };

const MACHINES = {
  x64: { audit: 0xc000003e, column: 1, clone: 56, ioctl: 16, socket: 41, personality: 135 },
  arm64: { audit: 0xc00000b7, column: 2, clone: 220, ioctl: 29, socket: 198, personality: 92 },
} as const;

const NEW_NAMESPACES = 0x7e020000;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** Another line discipline: drivers that nobody needs. */
const TIOCSETD = 0x5423;
/** What programs are by themselves, in 64 and 32 bits, with and without an old version number, and the question which it is. */
const PERSONALITIES = [0, 8, 0x20000, 0x20008, 0xffffffff];
const AF = { unix: 1, inet: 2, inet6: 10, netlink: 16 };
const NETLINK_ROUTE = 0;
const X32 = 0x40000000;

const LOAD = 0x20;
const EQUAL = 0x15;
/** Not an instruction of its own: an `EQUAL` that jumps on the other side. */
const NOT_EQUAL = -0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
const VERDICTS = { kill: 0x80000000, allow: 0x7fff0000, denied: 0x00050001, absent: 0x00050026, noFamily: 0x00050061 } as const;
type Verdict = keyof typeof VERDICTS;

/** Where the kernel puts what a filter may look at; the low half of an argument comes first on both machines. */
const AT = { nr: 0, arch: 4, arg: (index: number) => 16 + 8 * index };

/** A step either loads a word, or compares it and jumps on a match; without a match the next step follows. */
type Step = { readonly load: number } | { readonly test: number; readonly value: number; readonly to: Verdict } | Block;
/** Steps for one system call; whoever runs off their end gets `otherwise`. */
interface Block {
  readonly call: number;
  readonly steps: readonly Exclude<Step, Block>[];
  readonly otherwise: Verdict;
}

/**
 * The system call filter, as the kernel wants it. Everything is allowed but what is listed: the file system and the namespaces do the
 * containing, this closes the ways around them. Null: no filter is known for this processor.
 */
export function seccompFilter(arch: string): Buffer | null {
  if (arch !== 'x64' && arch !== 'arm64') return null;
  const { column, clone, ioctl, socket, personality, audit } = MACHINES[arch];
  const denied = DENIED.map((row) => row[column]).filter((nr) => nr !== null);
  return assemble(audit, [
    ...(arch === 'x64' ? [{ test: AT_LEAST, value: X32, to: 'absent' as const }] : []),
    ...denied.map((value) => ({ test: EQUAL, value, to: 'denied' as const })),
    ...Object.values(ABSENT).map((value) => ({ test: EQUAL, value, to: 'absent' as const })),
    { call: clone, steps: [{ load: AT.arg(0) }, { test: ANY_BIT, value: NEW_NAMESPACES, to: 'denied' }], otherwise: 'allow' },
    {
      call: ioctl,
      steps: [
        { load: AT.arg(1) },
        { test: EQUAL, value: TIOCSTI, to: 'denied' },
        { test: EQUAL, value: TIOCLINUX, to: 'denied' },
        { test: EQUAL, value: TIOCSETD, to: 'denied' },
      ],
      otherwise: 'allow',
    },
    // an old personality makes memory executable, or places it where it can be foreseen
    {
      call: personality,
      steps: [{ load: AT.arg(0) }, ...PERSONALITIES.map((value) => ({ test: EQUAL, value, to: 'allow' as const }))],
      otherwise: 'denied',
    },
    {
      call: socket,
      steps: [
        { load: AT.arg(0) },
        { test: EQUAL, value: AF.unix, to: 'allow' },
        { test: EQUAL, value: AF.inet, to: 'allow' },
        { test: EQUAL, value: AF.inet6, to: 'allow' },
        // routing tells addresses; every other kind of netlink is surface
        { test: NOT_EQUAL, value: AF.netlink, to: 'noFamily' },
        { load: AT.arg(2) },
        { test: EQUAL, value: NETLINK_ROUTE, to: 'allow' },
      ],
      otherwise: 'noFamily',
    },
  ]);
}

function assemble(audit: number, steps: readonly Step[]): Buffer {
  const verdicts = Object.keys(VERDICTS) as Verdict[]; // keys of the table above
  const body = steps.reduce((total, step) => total + sizeOf(step), 4) + 1;
  const out = Buffer.alloc((body + verdicts.length) * 8);
  let at = 0;
  const put = (code: number, jumpTrue: number, jumpFalse: number, value: number): void => {
    out.writeUInt16LE(code, at * 8);
    out.writeUInt8(jumpTrue, at * 8 + 2);
    out.writeUInt8(jumpFalse, at * 8 + 3);
    out.writeUInt32LE(value, at * 8 + 4);
    at += 1;
  };
  const jumpTo = (verdict: Verdict): number => body + verdicts.indexOf(verdict) - at - 1;
  const simple = (step: Exclude<Step, Block>): void => {
    if ('load' in step) put(LOAD, 0, 0, step.load);
    else if (step.test === NOT_EQUAL) put(EQUAL, 0, jumpTo(step.to), step.value);
    else put(step.test, jumpTo(step.to), 0, step.value);
  };
  put(LOAD, 0, 0, AT.arch);
  put(EQUAL, 1, 0, audit);
  put(RETURN, 0, 0, VERDICTS.kill);
  put(LOAD, 0, 0, AT.nr);
  for (const step of steps) {
    if (!('call' in step)) {
      simple(step);
      continue;
    }
    put(EQUAL, 0, step.steps.length + 1, step.call);
    step.steps.forEach(simple);
    put(RETURN, 0, 0, VERDICTS[step.otherwise]);
  }
  put(RETURN, 0, 0, VERDICTS.allow);
  for (const verdict of verdicts) put(RETURN, 0, 0, VERDICTS[verdict]);
  return out;
}

function sizeOf(step: Step): number {
  return 'call' in step ? step.steps.length + 2 : 1;
}
