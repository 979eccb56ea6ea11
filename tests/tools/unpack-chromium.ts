/** Unpacks Chromium to the folder for temporary files, since its package supports no other. */
import sparticuz from '@sparticuz/chromium';

await sparticuz.executablePath();
