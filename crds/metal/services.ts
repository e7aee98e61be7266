// What a SIPCluster asks for beside its hosts: load balancers and jump hosts, by the fields of Airship's SIP
// (airshipit/sip, 1f88a95a). Of what SIP accepts and then fails with, the schema refuses what it can tell.
import { z } from 'zod';
import { filled, rules } from '../definitions/rules.ts';
import { FEW_LABELS } from '../kubernetes/label-rules.ts';

const MOST_SERVICES = 20;
const MOST_KEYS = 100;
/** Ports of one load balancer for workers. Each is a port of a Service, and of a container. */
const MOST_PORTS = 100;

/** What SIP takes where `image` of a load balancer is empty. */
export const DEFAULT_BALANCER_IMAGE = 'haproxy:2.3.2';

const port = (least: number) =>
  z
    .int()
    .refine((value) => value >= least && value <= 65_535)
    .meta(
      rules([`self >= ${least} && self <= 65535`, `must be a port from ${least} to 65535, such as 30001`]),
    );
const image = (isNeeded: boolean) =>
  z
    .string()
    .max(512)
    .meta(
      rules([
        `${isNeeded ? '' : "self == '' || "}self.matches('^[a-zA-Z0-9]([a-zA-Z0-9._:/@+-]*[a-zA-Z0-9])?$')`,
        'must be the name of an image, such as registry.example.com/tools/haproxy:2.6',
      ]),
    );

const base = {
  nodeLabels: z
    .record(z.string(), z.string().max(63))
    .meta(FEW_LABELS)
    .describe('Labels of the nodes on which it may run.')
    .exactOptional(),
  nodeInterfaceId: z
    .string()
    .max(63)
    .describe('The id of the network, in the network data of each host, whose address is used.')
    .exactOptional(),
  clusterIP: z.string().max(64).describe('The clusterIP of its Service.').exactOptional(),
};
const NEEDS_INTERFACE = [
  filled('nodeInterfaceId'),
  'must be the id of a network of the hosts, such as oam-ipv4: it says which address of a host is used',
  '.nodeInterfaceId',
] as const;

const ControlPlaneBalancer = z
  .object({
    image: image(false).describe(`Without a value, ${DEFAULT_BALANCER_IMAGE}.`),
    ...base,
    nodePort: port(0).describe(
      'The port of the nodes that leads to port 6443. With 0, Kubernetes picks one.',
    ),
  })
  .meta(rules(NEEDS_INTERFACE));
export type ControlPlaneBalancer = z.infer<typeof ControlPlaneBalancer>;

const WorkerBalancer = z
  .object({
    image: image(false).describe(`Without a value, ${DEFAULT_BALANCER_IMAGE}.`),
    ...base,
    nodePortRange: z
      .object({ start: port(1), end: port(1) })
      .meta(
        rules([
          `self.start <= self.end && self.end - self.start < ${MOST_PORTS}`,
          `must begin with its lowest port and have ${MOST_PORTS} ports at most, such as 30002 to 30011`,
        ]),
      )
      .describe('Each of these ports of the nodes leads to the same port of the workers.'),
  })
  .meta(rules(NEEDS_INTERFACE));
export type WorkerBalancer = z.infer<typeof WorkerBalancer>;

const JumpHost = z
  .object({
    image: image(true).describe(
      'An image with an SSH server for the user ubuntu, such as that of deploy/images/jump-host.',
    ),
    ...base,
    nodePort: port(0).describe(
      'The port of the nodes that leads to its SSH server. With 0, Kubernetes picks one.',
    ),
    bmc: z
      .object({
        proxy: z
          .boolean()
          .describe(
            'Whether the command host reaches BMCs by the proxy that the key bmc-proxy of its ConfigMap names.',
          )
          .exactOptional(),
      })
      .exactOptional(),
    sshAuthorizedKeys: z
      .array(z.string().max(16_384))
      .max(MOST_KEYS)
      .describe('The public keys of those who may log in, each a line of an authorized_keys file.')
      .exactOptional(),
    nodeSSHPrivateKeys: z
      .string()
      .max(253)
      .describe(
        'The Secret of this namespace with private keys for the hosts, one for each key of its data.',
      ),
  })
  .meta(rules(NEEDS_INTERFACE));
export type JumpHost = z.infer<typeof JumpHost>;

const listOf = (field: string): string => `(has(self.${field}) ? self.${field} : [])`;
const WORKERS = listOf('loadBalancerWorker');
const SINGLE = ['loadBalancerControlPlane', 'jumpHost']
  .map((field) => `(has(self.${field}) ? self.${field}.map(one, one.nodePort) : [])`)
  .join(' + ');

export const SipServices = z
  .object({
    loadBalancerControlPlane: z.array(ControlPlaneBalancer).max(MOST_SERVICES).exactOptional(),
    loadBalancerWorker: z.array(WorkerBalancer).max(MOST_SERVICES).exactOptional(),
    jumpHost: z.array(JumpHost).max(MOST_SERVICES).exactOptional(),
  })
  .meta(
    rules(
      [
        `[${SINGLE}].all(ports, ports.all(port, port == 0 || ports.filter(other, other == port).size() == 1))`,
        'each nodePort of loadBalancerControlPlane and jumpHost must be another one: nodes lead a port to one Service',
      ],
      [
        `[${SINGLE}].all(ports, ${WORKERS}.all(one, !ports.exists(port, one.nodePortRange.start <= port && port <= one.nodePortRange.end)))`,
        'no nodePort may be within a nodePortRange: nodes lead a port to one Service',
      ],
      [
        `${WORKERS}.all(one, ${WORKERS}.filter(other, one.nodePortRange.start <= other.nodePortRange.end && other.nodePortRange.start <= one.nodePortRange.end).size() == 1)`,
        'no two of nodePortRange may overlap: nodes lead a port to one Service',
      ],
    ),
  )
  .describe('Load balancers and jump hosts. They are made beside the SIPCluster where the hub allows it.');
export type SipServices = z.infer<typeof SipServices>;
export type ServiceKind = keyof SipServices;
