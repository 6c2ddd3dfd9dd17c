import type { Grammar } from '../grammar/tool.js';
import type { RuleId } from '../rules.js';

/** Programs that no approval can allow, by the class they belong to. */
const CLASSES: Readonly<Partial<Record<RuleId, string>>> = {
  'privilege.tool': `sudo sudoedit sudo-rs doas su su-rs pkexec runuser setpriv capsh setcap gosu su-exec sg newgrp newuidmap newgidmap passwd
    chpasswd chage chsh chfn gpasswd useradd userdel usermod adduser deluser addgroup delgroup groupadd groupdel groupmod visudo vipw vigr
    login nsenter unshare chroot pivot_root switch_root fakechroot fakeroot firejail bwrap systemd-nspawn machinectl lxc lxc-attach lxd
    keyctl pam_exec run0 please `,
  'privilege.owner': 'chown chgrp chattr setfacl setfattr chcon restorecon semanage',
  'mount.tool': `mount umount mount.nfs fusermount fusermount3 sshfs losetup swapon swapoff mkswap mkfs mkfs.ext4 mkfs.xfs mke2fs fsck e2fsck
    fdisk sfdisk cfdisk gdisk sgdisk parted partprobe cryptsetup dmsetup lvcreate lvremove vgcreate pvcreate mdadm wipefs blkdiscard
    hdparm sdparm mknod modprobe insmod rmmod depmod kmod diskutil hdiutil udisksctl eject zpool zfs btrfs`,
  'service.tool': `systemctl service initctl rc-service rc-update sv s6-svc runsv chkconfig update-rc.d invoke-rc.d supervisorctl pm2
    shutdown reboot halt poweroff init telinit loginctl hostnamectl timedatectl localectl networksetup launchctl kexec nixos-rebuild`,
  'persistence.tool': `crontab at atq atrm batch anacron systemd-run systemd-tmpfiles autossh incrontab fcron dbus-send
    dbus-launch gdbus busctl osascript `,
  'process.signal-all': 'killall5',
  'process.leave': `setsid nohup disown daemon daemonize start-stop-daemon screen tmux dtach abduco zellij byobu script scriptreplay
    reptyr numactl cgexec cgclassify choom watch entr
    parallel sem ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1 coproc expect autoexpect
    run-parts `,
  'interactive.tool': `less more most lesspipe zless zmore bzless xzless vi vim vimdiff view ex rvim rview nvim gvim nano pico emacs
    emacsclient ed red joe micro mcedit mc ranger nnn lf vifm tig lazygit gitk gdb lldb cgdb strace ltrace perf dtrace bpftrace sysdig
    htop btop atop iotop info pinfo w3m lynx links elinks fzf sk peco percol dialog whiptail zenity telnetd mutt mail mailx sendmail
    irb pry ipythonmongo `,
  'network.raw': `nc ncat netcat nc.openbsd nc.traditional socat telnet dig nslookup host drill kdig delv ping ping6 fping hping3 traceroute
    traceroute6 tracepath mtr arping nmap masscan zmap tcpdump tshark wireshark ngrep whois ftp tftp lftp ncftp sftp-server openvpn wg
    wg-quick iptables ip6tables nft ufw firewall-cmd brctl ethtool iw iwconfig nmcli resolvectl resolvconf     ngrok cloudflared localtunnel chisel frpc proxychains proxychains4 torsocks tor aria2c axel rclone croc magic-wormhole wormhole
    httpie http https xh wscat websocat grpcurl avahi-browse smbclient rpcclient snmpwalk ldapsearch`,
  'network.remote-shell': `ssh scp sftp slogin rsh rcp rlogin mosh mosh-server sshpass ssh-copy-id ssh-keyscan ssh-agent ssh-add ansible
    ansible-playbook ansible-pull pssh clusterssh vagrant fab cap salt puppet chef-client`,
  'network.upload': `twine pastebinit transfer wput dput s3cmd gsutil azcopy surge vercel netlify wrangler flyctl fly heroku
    firebase serverless sls railway`,
  'network.credential': `aws-vault gpg-agent gpgconf secret-tool security pass gopass op bw vault kinit klist keybase lpass `,
  'container.run': `podman nerdctl ctr crictl runc crun buildah skopeo lima limactl colima multipass virsh qemu-system-x86_64 vboxmanage
    minikube kind k3d k3s k3sup`,
  'system.packages': `apt apt-get aptitude apt-key add-apt-repository dpkg dpkg-reconfigure dnf yum rpm zypper pacman yay paru apk emerge
    snap flatpak brew port nix nix-env nix-shell guix pkg pkg_add update-alternatives`,
  'system.change': `sysctl ldconfig hwclock ntpdate chronyc adjtimex update-initramfs grub-install update-grub efibootmgr stty
    setterm loadkeys xset xdotool xclip wl-copy pbcopy pbpaste open xdg-open defaults logger wall write mesg talk`,
};

/** Words of a shell that no program stands behind. */
const BUILTINS = `cd . source eval exec export unset set shopt alias unalias declare typeset local readonly builtin command type hash
  ulimit umask trap wait jobs fg bg read mapfile readarray return exit break continue shift getopts let history fc bind complete compgen
  compopt dirs pushd popd enable help logout suspend times caller : [[ ((`;

function names(text: string): string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

function refused(rule: RuleId): Grammar {
  return { style: 'none', operands: 'text*', rules: [rule] };
}

export const FORBIDDEN: Readonly<Record<string, Grammar>> = Object.fromEntries([
  ...Object.entries(CLASSES).map(([rule, list]) => [list, refused(rule as RuleId)]), // keys of CLASSES are rules
  [BUILTINS, refused('tool.builtin')],
]) as Record<string, Grammar>;

/** Names of that list that are also ordinary words, such as the subcommand of a tool. */
const ORDINARY_WORDS = new Set(
  names(`at batch service init open login info read write wall talk mail script watch host http https pass op port pkg security cap salt fab fly
    defaults sg sv lf mc ed ex red joe most more view top w3m links please sls convert fish puppet virsh brew snap help logger expect
    transfer shutdown halt mount umount snapshot passwd vault tor drill kind lima pm2 serverless vercel netlify railway surge heroku firebase`),
);

/** Names that say what will run even as a word of a tool that is not known. */
export const TELLING_NAMES: ReadonlySet<string> = new Set(
  Object.values(CLASSES)
    .flatMap(names)
    .filter((name) => !ORDINARY_WORDS.has(name)),
);

/** Names that are refused wherever they are run. */
export const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(Object.values(CLASSES).flatMap(names));
