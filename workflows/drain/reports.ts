// Tells the Drain object how far its drain is: every two seconds at most, and only what is new. Beside the
// loop, since nobody should wait for it.
import { accountOf } from './decide/account.ts';
import { progressOf } from './decide/progress.ts';
import type { Alarm } from './alarm.ts';
import { reportsByServer } from './earlier.ts';
import type { DrainLife } from './handlers.ts';
import type { DrainReport } from './object.ts';
import type { DrainState } from './state.ts';
import { isFailed } from '../engine/failed.ts';

/** Milliseconds between two reports. */
const REPORT_MS = 2_000;
/** Milliseconds after one that could not be written. */
const RETRY_MS = 10_000;

export interface Reports {
  /** Begins a report if there is news and it is time, or has the alarm go off when it is. */
  begin(state: DrainState): void;
}

export function reports(life: Pick<DrainLife, 'runtime' | 'noted'>, timer: Alarm): Reports {
  const { runtime } = life;
  let seen: DrainState | null = null;
  let told = '';
  let isUnderWay = false;
  let notBefore = 0;

  function tell(cluster: string, uid: string, state: DrainState): void {
    const { generation = null } = state;
    const said = { generation, phase: phaseOf(state), account: accountOf(progressOf(state)) };
    const text = JSON.stringify(said);
    seen = state;
    if (text === told) return;
    const report: DrainReport = { uid, at: runtime.now(), ...said };
    isUnderWay = true;
    notBefore = runtime.now() + REPORT_MS;
    const by = reportsByServer(life) ? runtime.hub : runtime.localWrite;
    const work = () => by(`Write how far drain ${cluster} is`).reportDrain(cluster, report);
    void runtime.beside(work).result.then(
      () => {
        isUnderWay = false;
        told = text;
      },
      (error: unknown) => {
        if (!isFailed(error)) throw error;
        isUnderWay = false;
        seen = null;
        notBefore = runtime.now() + RETRY_MS;
        timer.by(notBefore);
      },
    );
  }

  return {
    begin: (state) => {
      const { cluster, drain } = state;
      if (drain === undefined || state === seen) return;
      const now = runtime.now();
      if (isUnderWay || now < notBefore) timer.by(Math.max(notBefore, now + REPORT_MS / 2));
      else tell(cluster, drain, state);
    },
  };
}

function phaseOf({ paused, stopped }: DrainState): DrainReport['phase'] {
  return stopped ? null : paused ? 'Paused' : 'Draining';
}
