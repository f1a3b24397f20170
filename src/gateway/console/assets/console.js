// Removes a shown secret from the page before the page is left, so that the back button does not
// show it again. Restores form input after the session expired and the user signed in again.

addEventListener('pagehide', () => {
  for (const shown of document.querySelectorAll('[data-secret]')) shown.remove();
});

const KEPT = 'kept form';
const here = location.pathname + location.search;

/** Form values to restore: no passwords, hidden fields or one-time values. */
const isTyped = ({ name, type, autocomplete, disabled }) =>
  name !== '' &&
  !disabled &&
  !['hidden', 'password', 'submit', 'button', 'file'].includes(type) &&
  autocomplete !== 'one-time-code';

const fieldsOf = (form) => [...form.elements].filter(isTyped);

function keep(form) {
  const typed = fieldsOf(form).map(({ name, value, type, checked }) => ({
    name,
    value,
    isOn: type === 'checkbox' || type === 'radio' ? checked : null,
  }));
  if (typed.length === 0) return;
  const action = form.getAttribute('action');
  sessionStorage.setItem(KEPT, JSON.stringify({ page: here, action, typed, isLost: false }));
}

function giveBack({ action, typed }) {
  const form = [...document.forms].find((one) => one.getAttribute('action') === action);
  if (form === undefined) return;
  for (const { name, value, isOn } of typed) {
    const field = fieldsOf(form).find(
      (one) => one.name === name && (isOn === null || one.value === value),
    );
    if (field === undefined) continue;
    if (isOn === null) field.value = value;
    else field.checked = isOn;
  }
  for (
    let box = form.closest('details');
    box !== null;
    box = box.parentElement.closest('details')
  ) {
    box.open = true;
  }
  for (const box of form.querySelectorAll('details')) box.open = true;
  fieldsOf(form)[0]?.focus();
}

try {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  if (kept !== null) {
    if (document.querySelector('[data-kept]') !== null) {
      sessionStorage.setItem(KEPT, JSON.stringify({ ...kept, isLost: true }));
    } else if (!location.pathname.startsWith('/console/sign-in')) {
      sessionStorage.removeItem(KEPT);
      if (kept.isLost && kept.page === here) giveBack(kept);
    }
  }
  for (const form of document.querySelectorAll('main.form-page form[method="post"]')) {
    form.addEventListener('submit', () => keep(form));
  }
} catch {
  // Without browser storage, form values are not restored.
}

// The fields of the trial form depend on the chosen action. Without scripts the update button loads
// them.
for (const select of document.querySelectorAll('.trial select[name="action"]')) {
  select.addEventListener('change', () =>
    select.form.requestSubmit(select.form.querySelector('[name="update"]')),
  );
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
