// What a person may do here, as buttons; each opens a sheet that says what will happen before anything is
// written.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DrainView } from '../../../explain/drain.ts';
import type { Sheet } from '../../view/sheets.ts';
import { RefusedByProgram } from '../hub.ts';
import { program } from '../program.ts';
import { DrainPlan } from './drain-plan.tsx';
import { Command } from './words.tsx';

export interface SheetTarget {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** What the person has seen of it. */
  readonly seen: string;
}

interface ActsProps {
  readonly sheets: readonly Sheet[];
  readonly target: SheetTarget;
}

export function Acts({ sheets, target }: ActsProps) {
  const [open, setOpen] = useState<{ sheet: Sheet; target: SheetTarget } | null>(null);
  const [said, say] = useState('');
  const close = (answer: string): void => {
    setOpen(null);
    say(answer);
  };
  return (
    <div class="acts">
      {sheets.map((sheet) => (
        <button key={sheet.act} type="button" onClick={() => setOpen({ sheet, target })}>
          {sheet.label}
        </button>
      ))}
      <p class="said" role="status">
        {said}
      </p>
      {open === null ? null : <SheetDialog sheet={open.sheet} target={open.target} close={close} />}
    </div>
  );
}

interface SheetProps {
  readonly sheet: Sheet;
  readonly target: SheetTarget;
  /** With the hub's answer; empty if nothing was asked. */
  readonly close: (answer: string) => void;
}

function SheetDialog({ sheet, target, close }: SheetProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [what, choose] = useState('');
  const [problem, setProblem] = useState('');
  const [isAsking, setAsking] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const body = { ...target, act: sheet.act, what };
  const doIt = async (): Promise<void> => {
    setAsking(true);
    try {
      close((await program().act<{ says: string }>(body)).says);
    } catch (error) {
      setProblem(sentence(error));
      setAsking(false);
    }
  };
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="sheet-title" onClose={() => close('')}>
      <h2 id="sheet-title">
        {sheet.label.replace('…', '')} {target.namespace === '' ? '' : `${target.namespace}/`}
        {target.name}
      </h2>
      <p>{sheet.says}</p>
      <Chosen sheet={sheet} what={what} choose={choose} />
      {sheet.act === 'drain' ? <PlanOfDrain target={target} /> : null}
      <p class="small dim">The same from a shell:</p>
      <Command text={commandOf(sheet, what)} />
      {problem === '' ? null : (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Leave it
        </button>
        <button type="button" class="primary" disabled={isAsking} onClick={() => void doIt()}>
          Do it
        </button>
      </div>
    </dialog>
  );
}

function Chosen({
  sheet: { choice },
  what,
  choose,
}: {
  sheet: Sheet;
  what: string;
  choose: (what: string) => void;
}) {
  if (choice === null) return null;
  const { label, options, none } = choice;
  return (
    <label class="field">
      <span>{label}</span>
      {options === null ? (
        <input
          value={what}
          placeholder={none}
          maxLength={1024}
          onInput={(event) => choose(event.currentTarget.value)}
        />
      ) : (
        <select value={what} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{none}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </label>
  );
}

/** What it would do, by the planner of the hub: a Drain that is a dry run. */
function PlanOfDrain({ target }: { readonly target: SheetTarget }) {
  const [plan, setPlan] = useState<DrainView | string | null>(null);
  const ask = (): void => {
    setPlan('The hub plans…');
    program()
      .act<DrainView>({ ...target, act: 'plan-drain' })
      .then(setPlan, (error: unknown) => setPlan(sentence(error)));
  };
  if (plan === null)
    return (
      <button type="button" onClick={ask}>
        What would happen?
      </button>
    );
  return typeof plan === 'string' ? <p role="status">{plan}</p> : <DrainPlan plan={plan} />;
}

export function sentence(error: unknown): string {
  if (error instanceof RefusedByProgram) return error.message;
  return 'The program on your machine does not answer: has kubectl capp dashboard ended?';
}

/** As a shell takes it. */
function commandOf({ command, choice }: Sheet, what: string): string {
  if (choice === null) return command;
  const word = /^[\w./:@#-]+$/.test(what) ? what : `'${what.replaceAll("'", "'\\''")}'`;
  return what === '' ? command.replace(/ (?:--\w+=)?\{what\}/, '') : command.replace('{what}', word);
}
