// Removes a shown secret from the page before the page is left, so that the back button does not
// show it again. Restores form input after the session expired and the user signed in again.

addEventListener('pagehide', () => {
  for (const secret of document.querySelectorAll('[data-secret]')) secret.remove();
});

const SAVED_FORM_KEY = 'kept form';
const currentAddress = location.pathname + location.search;

/** Whether a field is saved: passwords, hidden fields and one-time codes are not. */
const isSaved = ({ name, type, autocomplete, disabled }) =>
  name !== '' &&
  !disabled &&
  !['hidden', 'password', 'submit', 'button', 'file'].includes(type) &&
  autocomplete !== 'one-time-code';

const findSavedFields = (form) => [...form.elements].filter(isSaved);

/**
 * Saves the input in session storage. `isLost` becomes true when the session ended before the
 * server processed the form.
 */
function saveForm(form) {
  const fields = findSavedFields(form).map(({ name, value, type, checked }) => ({
    name,
    value,
    isOn: type === 'checkbox' || type === 'radio' ? checked : null,
  }));
  if (fields.length === 0) return;
  const action = form.getAttribute('action');
  sessionStorage.setItem(
    SAVED_FORM_KEY,
    JSON.stringify({ page: currentAddress, action, fields, isLost: false }),
  );
}

function restoreForm({ action, fields }) {
  const form = [...document.forms].find((candidate) => candidate.getAttribute('action') === action);
  if (form === undefined) return;
  for (const { name, value, isOn } of fields) {
    const field = findSavedFields(form).find(
      (candidate) => candidate.name === name && (isOn === null || candidate.value === value),
    );
    if (field === undefined) continue;
    if (isOn === null) field.value = value;
    else field.checked = isOn;
  }
  for (
    let details = form.closest('details');
    details !== null;
    details = details.parentElement.closest('details')
  ) {
    details.open = true;
  }
  for (const details of form.querySelectorAll('details')) details.open = true;
  findSavedFields(form)[0]?.focus();
}

try {
  const savedForm = JSON.parse(sessionStorage.getItem(SAVED_FORM_KEY) ?? 'null');
  if (savedForm !== null) {
    if (document.querySelector('[data-kept]') !== null) {
      sessionStorage.setItem(SAVED_FORM_KEY, JSON.stringify({ ...savedForm, isLost: true }));
    } else if (!location.pathname.startsWith('/console/sign-in')) {
      sessionStorage.removeItem(SAVED_FORM_KEY);
      if (savedForm.isLost && savedForm.page === currentAddress) restoreForm(savedForm);
    }
  }
  for (const form of document.querySelectorAll('main.form-page form[method="post"]')) {
    form.addEventListener('submit', () => saveForm(form));
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
