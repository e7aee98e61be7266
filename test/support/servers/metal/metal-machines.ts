// A host of a hub of its own, with the stand-ins for Metal³'s operator and for the machine, which does what
// its user data says.
import { parseJoinLine } from '../../../../crds/join/join-line.ts';
import { SECRET, type Secret } from '../../../../crds/kubernetes/core.ts';
import { BARE_METAL_HOST, type BareMetalHost } from '../../../../crds/metal/bare-metal-host.ts';
import { applyObjects, ourManifests } from '../../../../deploy/local/kubernetes/apply.ts';
import type { Kube } from '../../../../kube/client.ts';
import { eventually } from '../../../../testbed/eventually.ts';
import { MetalOperator } from '../../builders/metal/metal-operator.ts';

export const ROOM = 'metal';
/** The Secret with the template of the user data. */
export const TEMPLATE = 'template';
const HOST = { namespace: ROOM, name: 'rdm9r008o002' };
const LONG = { withinMs: 240_000 };
/** Of the user's template, so that one sees that nobody tells it. */
const CANARY = 'canaryofthetemplate';

export interface MachinesOptions {
  readonly onHub: Kube;
  /** The machine runs this line of its user data. */
  readonly joins: (line: string) => Promise<{ readonly code: number | null }>;
  /** The machine is switched off and wiped. */
  readonly wiped: () => Promise<unknown>;
}

export class MetalMachines {
  readonly #onHub: Kube;
  readonly #operator: MetalOperator;
  readonly #under: Promise<unknown>[] = [];
  #stop: () => Promise<void> = () => Promise.resolve();
  #token = '';

  constructor({ onHub, joins, wiped }: MachinesOptions) {
    this.#onHub = onHub;
    const machines = {
      boots: (_host: string, userData: string): void => {
        const [, line = ''] = /^\s*- cappstan join (\S+)$/m.exec(userData) ?? [];
        this.#token = parseJoinLine(line)?.token.secret ?? '';
        // As docs/metal.md has it in the user data: once more where the hub is away.
        const again = async (): Promise<true | undefined> =>
          (await joins(line)).code === 0 ? true : undefined;
        this.#under.push(eventually(again, LONG));
      },
      wiped: (): void => void this.#under.push(wiped()),
    };
    // Each step fails once, and takes its time.
    const moods = {
      slow: 4,
      mood: (_host: string, _state: string, nth: number) => (nth === 1 ? 'fails' : null),
    } as const;
    this.#operator = new MetalOperator(onHub, machines, moods);
  }

  /** Metal³ works until this ends. */
  async begins(): Promise<void> {
    const onHub = this.#onHub;
    await applyObjects(onHub, await ourManifests('baremetalhost'));
    await eventually(() => onHub.list(BARE_METAL_HOST), LONG);
    const over = new AbortController();
    const working = (async () => {
      while (!over.signal.aborted) {
        await this.#operator.pass().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 500));
      }
    })();
    this.#stop = async () => {
      over.abort();
      await working;
      await Promise.all(this.#under);
    };
    await this.#makesHost();
  }

  ends(): Promise<void> {
    return this.#stop();
  }

  async #makesHost(): Promise<void> {
    const onHub = this.#onHub;
    await onHub.create<BareMetalHost>(BARE_METAL_HOST, {
      metadata: { ...HOST, labels: { 'vino.airshipit.org/flavor': 'worker' } },
      spec: { online: false, networkData: { name: 'network' } },
    });
    const template = `#cloud-config\n# ${CANARY}\nruncmd:\n  - cappstan join \${JOIN_LINE}\n`;
    await onHub.create<Secret>(SECRET, {
      metadata: { namespace: ROOM, name: TEMPLATE },
      data: { userData: Buffer.from(template).toString('base64') },
    });
    const ready = (): Promise<true> =>
      eventually(
        async () => ((await this.host()).status?.provisioning?.state === 'available' ? true : undefined),
        LONG,
      );
    await ready();
  }

  async host(): Promise<BareMetalHost> {
    const host = await this.#onHub.get<BareMetalHost>(BARE_METAL_HOST, HOST);
    if (host === null) throw new Error('the host is gone');
    return host;
  }

  /** What nobody may tell: the token that the machine was given last, and what is in the template. */
  get secrets(): readonly string[] {
    return [this.#token, CANARY];
  }
}
