/** Unpacks Chromium to the folder for temporary files, the only one that its package knows. */
import sparticuz from '@sparticuz/chromium';

await sparticuz.executablePath();
