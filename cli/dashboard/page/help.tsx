// Which keys do what.
import { useEffect, useRef } from 'preact/hooks';
import { isHelpOpen, PLACES } from './keys.ts';

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'search apps, sites and hostnames'],
  ['↓ ↑  or  j k', 'walk through what is shown'],
  ['Enter', 'open it'],
  ...Object.entries(PLACES).map(([key, [, name]]) => [`g ${key}`, `go to ${name}`] as const),
  ['Esc', 'close what is open'],
  ['?', 'show this'],
];

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isHelpOpen.value) dialog.current?.showModal();
  }, [isHelpOpen.value]);
  if (!isHelpOpen.value) return null;
  return (
    <dialog
      ref={dialog}
      class="sheet"
      aria-labelledby="help-title"
      onClose={() => void (isHelpOpen.value = false)}
    >
      <h2 id="help-title">Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="buttons">
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
