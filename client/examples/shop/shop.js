/** Enhancements of the order's page. Without this script the account can be selected, and the time is in words. */

for (const button of document.querySelectorAll('[data-copy]')) {
  // Browsers give the clipboard to secure pages only: https, and http on this machine.
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    const { textContent } = document.getElementById(button.dataset.copy);
    const copied = await navigator.clipboard.writeText(textContent).then(
      () => 'Copied',
      () => 'Select it and copy it yourself',
    );
    button.nextElementSibling.textContent = copied;
  });
}

for (const timer of document.querySelectorAll('[data-seconds]')) {
  const end = Date.now() + Number(timer.dataset.seconds) * 1_000;
  const show = () => {
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1_000));
    timer.lastElementChild.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
    // The page stays, since the payer may be about to enter the reference.
    if (left > 0) setTimeout(show, 1_000);
    else timer.textContent = 'The time to pay is over. If you have paid, tell us now.';
  };
  show();
}
