// Enhances the payment page, which works without it.
(() => {
  const announcement = document.querySelector('#announcement');
  const address = location.pathname + location.search;

  // A page restored from the browser's cache may be outdated.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.replace(address);
  });

  const summary = document.querySelector('.summary');
  if (summary) summary.focus();

  const form = document.querySelector('form');
  if (form) guardForm();
  const time = document.querySelector('time[data-left]');
  if (time) countDown();
  const main = document.querySelector('[data-state]');
  if (main) poll();

  /** Submits the form once, even after repeated clicks. */
  function guardForm() {
    form.addEventListener('submit', (event) => {
      if (form.hasAttribute('aria-busy')) return event.preventDefault();
      form.setAttribute('aria-busy', 'true');
      announcement.textContent = announcement.dataset.sending;
      // Allows another attempt if the browser stopped loading.
      setTimeout(() => form.removeAttribute('aria-busy'), 5000);
    });
  }

  /** Shows the remaining time every second, and announces it only near the end. It follows the server's clock. */
  function countDown() {
    const end = Date.now() + Number(time.dataset.left) * 1000;
    const { locale } = time.dataset;
    const local = new Date(time.dateTime).toLocaleTimeString(locale, { timeStyle: 'short' });
    const inMinutes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'minute' });
    const digits = (number, count) => number.toLocaleString(locale, { minimumIntegerDigits: count });
    const marks = [300, 60].filter((mark) => mark < Number(time.dataset.left));
    const tick = () => {
      const left = Math.max(0, Math.round((end - Date.now()) / 1000));
      const minutes = Math.floor(left / 60);
      if (minutes < 100)
        time.textContent = time.dataset.until
          .replace('{left}', `${digits(minutes, 1)}:${digits(left % 60, 2)}`)
          .replace('{time}', local);
      if (left <= marks[0]) {
        announcement.textContent = announcement.dataset.left.replace('{left}', inMinutes.format(Math.ceil(left / 60)));
        marks.shift();
      }
      if (left > 0) return;
      clearInterval(timer);
      location.replace(address);
    };
    const timer = setInterval(tick, 1000);
    if (Number(time.dataset.left) > 0) tick();
  }

  /** Reloads the page when the payment has changed, for instance because it was paid on another device. */
  function poll() {
    let timer;
    let seconds = 1;
    const check = async () => {
      const response = await fetch(address, { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
      const state = response?.headers.get('x-page-state');
      if (state && state !== main.dataset.state) return location.replace(address);
      clearTimeout(timer);
      seconds = Math.min(seconds * 1.5, 10);
      timer = setTimeout(check, seconds * 1000);
    };
    timer = setTimeout(check, seconds * 1000);
    // The customer returns from an app.
    document.addEventListener('visibilitychange', () => document.hidden || check());
  }
})();
