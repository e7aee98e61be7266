// A tenant who uses `kubectl capp` on a real hub. The test answers in place of the Capps' workflows, through
// the hub's own publishing.
import { run } from '../../../../cli/program.ts';
import type { CappRef, State } from '../../../../workflows/capp/state.ts';
import { aPlacedState } from '../../builders/states.ts';
import { aTerminal } from '../../builders/process/terminals.ts';
import { bareWork } from '../hub/bare-work.ts';
import { cliTestbed, type CliTestbed } from './cli.ts';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface Tenant {
  readonly bed: CliTestbed;
  /** What the workflow would publish. */
  says(ref: CappRef, state: State): Promise<void>;
  aReadyCapp(name: string): Promise<CappRef>;
  annotation(ref: CappRef, name: string): Promise<string | undefined>;
  /** The built program, in a process of its own. */
  asProcess(...args: string[]): ReturnType<CliTestbed['run']>;
  /** The same code in this process; `answer` is what the person says to every question. */
  asked(answer: boolean, args: readonly string[]): Promise<Said>;
  /** With "no" to every question. */
  capp(...args: string[]): Promise<Said>;
}

export async function startTenant(): Promise<Tenant> {
  const bed = await cliTestbed();
  let time = 0;
  const says = async (ref: CappRef, state: State): Promise<void> => {
    time += 1;
    if (state.serving !== null) await bareWork(bed.hub.kube, ref, state.serving);
    const newer = { ...state, capp: ref, statusDecidedAt: Date.now() - 60_000 + time };
    await bed.hub.hub.publish(ref, newer, { record: null, mirror: null, at: Date.now() });
  };
  const asked = async (answer: boolean, args: readonly string[]): Promise<Said> => {
    const { terminal, out, notes } = aTerminal(answer);
    const all = [...args, '--kubeconfig', bed.tenant, '-n', 'apps', '--request-timeout', '60'];
    const code = await run({ args: all, name: 'capp', version: '0' }, terminal);
    return { code, out: out.join('\n'), err: notes.join('\n') };
  };
  return {
    bed,
    says,
    aReadyCapp: async (name) => {
      const ref = await bed.hub.make({ name });
      await says(ref, aPlacedState());
      return ref;
    },
    annotation: async (ref, name) => (await bed.hub.read(ref)).metadata.annotations?.[name],
    asProcess: (...args) => bed.run([...args, '-n', 'apps']),
    asked,
    capp: (...args) => asked(false, args),
  };
}
