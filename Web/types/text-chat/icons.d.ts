export function arrowUp(): SVGSVGElement;
export function arrowDown(): SVGSVGElement;
export function warning(): SVGSVGElement;
