// What a person may do here, as buttons; each opens a sheet that says what will happen before anything is
// written.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Sheet } from '../../view/sheets/sheet.ts';
import { sentence } from '../hub.ts';
import { program } from '../program.ts';
import { SheetPlanBeside } from './sheet-plan.tsx';
import type { SheetTarget } from './target.ts';
import { Command } from './words.tsx';

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
  const [why, writeDown] = useState('');
  const [problem, setProblem] = useState('');
  const [isAsking, setAsking] = useState(false);
  useEffect(() => dialog.current?.showModal(), []);
  const body = { ...target, act: sheet.act, what, why };
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
      {sheet.takesReason ? <Reason why={why} writeDown={writeDown} /> : null}
      {sheet.plan === null ? null : (
        <SheetPlanBeside key={what} plan={sheet.plan} target={target} what={what} />
      )}
      <p class="small dim">The same from a shell:</p>
      <Command text={commandOf(sheet, { what, why })} />
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

/** It stands in the object and in the audit. */
function Reason({ why, writeDown }: { readonly why: string; readonly writeDown: (why: string) => void }) {
  return (
    <label class="field">
      <span>Reason</span>
      <input
        value={why}
        placeholder="none"
        maxLength={256}
        onInput={(event) => writeDown(event.currentTarget.value)}
      />
    </label>
  );
}

/** As a shell takes it; what was not chosen or written is left out. */
function commandOf({ command }: Sheet, given: Readonly<Record<'what' | 'why', string>>): string {
  return command.replaceAll(/ (--\w+=)?\{(what|why)\}/g, (_all, flag: string | undefined, of: string) => {
    const text = given[of as 'what' | 'why'];
    const word = /^[\w./:@#-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
    return text === '' ? '' : ` ${flag ?? ''}${word}`;
  });
}
