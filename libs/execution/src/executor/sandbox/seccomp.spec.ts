import { seccompFilter } from './seccomp.js';

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 };
const VERDICTS: Readonly<Record<number, string>> = {
  0x80000000: 'kill',
  0x7fff0000: 'allow',
  0x00050001: 'EPERM',
  0x00050026: 'ENOSYS',
  0x00050061: 'EAFNOSUPPORT',
};

/** What the kernel would answer: a small machine for the few instructions that filters are made of. */
function answer(filter: Buffer, arch: number, nr: number, args: readonly number[] = []): string {
  const load = (at: number): number => (at === 0 ? nr : at === 4 ? arch : (args[(at - 16) / 8] ?? 0));
  let word = 0;
  for (let at = 0; at < filter.length / 8; at += 1) {
    const code = filter.readUInt16LE(at * 8);
    const [jumpTrue, jumpFalse] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)];
    const value = filter.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return VERDICTS[value] ?? String(value);
    if (code === 0x20) word = load(value);
    else {
      const matches = code === 0x15 ? word === value : code === 0x35 ? word >>> 0 >= value : (word & value) !== 0;
      at += matches ? jumpTrue : jumpFalse;
    }
  }
  return 'ran off the end';
}

describe.each([
  ['x64', { read: 0, ptrace: 101, unshare: 272, mount: 165, clone: 56, ioctl: 16, socket: 41, personality: 135, last: 450 }],
  ['arm64', { read: 63, ptrace: 117, unshare: 97, mount: 40, clone: 220, ioctl: 29, socket: 198, personality: 92, last: 450 }],
] as const)('seccompFilter on %s', (arch, call) => {
  const filter = seccompFilter(arch) ?? Buffer.alloc(0);
  const ask = (nr: number, ...args: number[]): string => answer(filter, AUDIT[arch], nr, args);

  it.each([
    ['everyday calls', () => ask(call.read), 'allow'],
    ['a call it has never heard of', () => ask(call.last), 'allow'],
    ['ptrace', () => ask(call.ptrace), 'EPERM'],
    ['mount', () => ask(call.mount), 'EPERM'],
    ['unshare', () => ask(call.unshare, 0x10000000), 'EPERM'],
    ['fork', () => ask(call.clone, 17), 'allow'],
    ['a thread', () => ask(call.clone, 0x3d0f00), 'allow'],
    ['a new user namespace', () => ask(call.clone, 0x10000011), 'EPERM'],
    ['clone3, which hides its flags', () => ask(435), 'ENOSYS'],
    ['io_uring', () => ask(425), 'ENOSYS'],
    ['asking for the window size', () => ask(call.ioctl, 1, 0x5413), 'allow'],
    ['another line discipline', () => ask(call.ioctl, 1, 0x5423), 'EPERM'],
    ['asking for the personality', () => ask(call.personality, 0xffffffff), 'allow'],
    ['memory that is always executable', () => ask(call.personality, 0x0400000), 'EPERM'],
    ['addresses that can be foreseen', () => ask(call.personality, 0x0040000), 'EPERM'],
    ['typing into the terminal', () => ask(call.ioctl, 1, 0x5412), 'EPERM'],
    ['a local socket', () => ask(call.socket, 1), 'allow'],
    ['an internet socket, which leads nowhere without a network', () => ask(call.socket, 2), 'allow'],
    ['a raw packet socket', () => ask(call.socket, 17), 'EAFNOSUPPORT'],
    ['a socket to the hypervisor', () => ask(call.socket, 40), 'EAFNOSUPPORT'],
    ['a routing socket, which lists addresses', () => ask(call.socket, 16, 3, 0), 'allow'],
    ['a packet filter socket', () => ask(call.socket, 16, 3, 12), 'EAFNOSUPPORT'],
  ])('answers %s', (_what, asked, expected) => {
    expect(asked()).toBe(expected);
  });

  it('kills a program for another machine', () => {
    expect(answer(filter, AUDIT.i386, call.read)).toBe('kill');
  });

  it('decides for every call, whatever its arguments', () => {
    for (let nr = 0; nr < 600; nr += 1) expect(Object.values(VERDICTS)).toContain(ask(nr, 0xffffffff, 0xffffffff, 0xffffffff));
  });
});

it('has no filter for a machine it does not know', () => {
  expect(seccompFilter('riscv64')).toBeNull();
});

it('refuses calls in the second numbering of x64', () => {
  expect(answer(seccompFilter('x64') ?? Buffer.alloc(0), AUDIT.x64, 0x40000000 + 1)).toBe('ENOSYS');
});
