// How a site gets network, mount and process namespaces of its own, without root: in a new user namespace.
import { runCommandLine } from './command.ts';

/**
 * Runs the command behind it as root of new namespaces. When unshare or the command ends, the kernel ends
 * every process inside, and removes its interfaces and mounts.
 */
export const IN_NEW_NAMESPACES = [
  'unshare',
  '--user',
  '--map-root-user',
  '--net',
  '--mount',
  '--pid',
  '--fork',
  '--kill-child',
] as const;

const REMEDY =
  'Install iproute2 and util-linux, and allow namespaces to users (Ubuntu: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0; Debian: sudo sysctl kernel.unprivileged_userns_clone=1); or run "make down CLEAN=1", and make up without DATAPLANE=real.';

/** Throws an Error that says what is missing on this machine, and what to do. */
export async function requireNamespaces(): Promise<void> {
  const trial = 'ip link add br0 type bridge && nsenter --version && mount --version';
  try {
    await runCommandLine([...IN_NEW_NAMESPACES, 'sh', '-c', trial]);
  } catch (cause) {
    throw new Error(`DATAPLANE=real needs network namespaces, and this machine has none for us. ${REMEDY}`, {
      cause,
    });
  }
}
