/**
 * Runs in the browser and finds text with low contrast. tests/tools/browser.ts loads it. A color is [red, green, blue,
 * alpha], parsed by a canvas, which supports all notations. The background is blended from all ancestors.
 */
globalThis.findLowContrast = (minimum) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!canvas) return ['no canvas'];
  const read = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => {
    const mix = (index) => top[index] * top[3] + below[index] * (1 - top[3]);
    return [mix(0), mix(1), mix(2), 1];
  };
  const behind = (element) => {
    if (!element) return read(getComputedStyle(document.documentElement).colorScheme === 'dark' ? '#121212' : '#fff');
    const colour = read(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, behind(element.parentElement));
  };
  const luminance = (colour) => {
    const linear = (value) => (value <= 10.31475 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear(colour[0]) + 0.7152 * linear(colour[1]) + 0.0722 * linear(colour[2]);
  };
  const ratio = (a, b) => {
    const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent?.trim();
    const element = walker.currentNode.parentElement;
    if (!text || !element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (element.closest('script, style, title, desc, [disabled]')) continue;
    const style = getComputedStyle(element);
    const background = behind(element);
    const ink = read(element.namespaceURI?.endsWith('svg') ? style.fill : style.color);
    const value = ratio(over(ink, background), background);
    if (value < minimum) found.add(`${value.toFixed(2)} ${style.color} ${element.tagName} ${text.slice(0, 40)}`);
  }
  return [...found];
};
