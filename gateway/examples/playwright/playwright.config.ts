import { defineConfig } from '@playwright/test';

const executablePath = process.env['CHROME_PATH'];

export default defineConfig({
  testDir: '.',
  workers: 1,
  reporter: 'line',
  outputDir: process.env['PLAYWRIGHT_OUTPUT'] ?? 'test-results',
  use: {
    browserName: 'chromium',
    // Without CHROME_PATH, the browser of `npx playwright install chromium`.
    ...(executablePath && { launchOptions: { executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] } }),
  },
});
