// The command `host` of jump hosts, and what it reads: SIP's contract (list, reboot NAME), by curl instead of
// redfishtool, so that no password is on a command line. Pure.
import type { Bmc } from './bmc.ts';

/** Where the Secret of a jump host is mounted as a folder. */
export const DATA_PATH = '/etc/opt/sip/data';
/** Where scripts of its ConfigMap are mounted. */
export const SCRIPTS_PATH = '/opt/sip/bin';
/**
 * Of the ConfigMap, written by people and by nobody else: the URL of the proxy. What sshd starts has nothing
 * of the environment of its container.
 */
export const PROXY_KEY = 'bmc-proxy';
const PREFIX = 'redfish.';

/**
 * A POSIX shell script. `usesProxy`: curl takes the proxy that PROXY_KEY names, or else its environment;
 * without either it fails, since the BMC is not to be reached directly.
 */
export function hostTool(usesProxy: boolean): string {
  const [proxy, noProxy] = usesProxy ? [PROXY, ''] : ['', " --noproxy '*'"];
  return SCRIPT.replace('@PROXY@', () => proxy).replace('@NOPROXY@', noProxy);
}

/** By the environment of curl, as all else that is no argument. */
const PROXY = `  proxy=$(cat ${SCRIPTS_PATH}/${PROXY_KEY} 2>/dev/null)
  [ -z "$proxy" ] || export https_proxy="$proxy" http_proxy="$proxy"
  if [ -z "$https_proxy$HTTPS_PROXY$http_proxy$all_proxy$ALL_PROXY" ]; then
    echo 'host: bmc.proxy is true and no proxy is named: write its URL into the key ${PROXY_KEY} of the ConfigMap of this jump host' >&2
    exit 1
  fi
`;

const SCRIPT = `#!/bin/sh
# Lists the hosts of this cluster, and restarts one of them by the Redfish service of its BMC.
data=${DATA_PATH}

usage() {
  echo 'usage: host list          names the hosts'
  echo '       host reboot NAME   restarts one gracefully'
}

list() {
  for file in "$data"/${PREFIX}*; do
    [ -e "$file" ] && echo "\${file#"$data"/${PREFIX}}"
  done
  return 0
}

reboot() {
  file=$data/${PREFIX}$1
  if [ -z "$1" ] || [ ! -f "$file" ]; then
    echo "host: there is no host '$1'; host list names all" >&2
    exit 1
  fi
  if ! grep -q '^url' "$file"; then
    echo "host: $1 has no BMC with a Redfish system" >&2
    exit 1
  fi
  command -v curl >/dev/null || { echo 'host: curl is not installed' >&2; exit 1; }
@PROXY@  curl --silent --show-error --fail --max-time 60@NOPROXY@ --config "$file" \\
    --header 'Content-Type: application/json' --data '{"ResetType":"GracefulRestart"}'
}

case "$1" in
  list) list ;;
  reboot) reboot "$2" ;;
  *) usage ;;
esac
`;

/** The key of a host in the jump host's Secret. */
export function redfishKey(host: string): string {
  return `${PREFIX}${host}`;
}

/** What curl reads with --config (curl(1)); without a url for a host that is not reached by Redfish. */
export function redfishConfig(bmc: Bmc | null): string {
  if (bmc === null || bmc.system === null) return '# No Redfish system is known of this host.\n';
  const lines = [
    `url = ${quoted(`${bmc.system}/Actions/ComputerSystem.Reset`)}`,
    `user = ${quoted(`${bmc.username}:${bmc.password}`)}`,
    ...(bmc.isInsecure ? ['insecure'] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
