/**
 * Compares two strings by the bytes of their UTF-8, as ids are ordered.
 * @param {string} a
 * @param {string} b
 * @returns {number} negative, 0 or positive
 */
export function compareBytes(a: string, b: string): number;
export function makeTransID(now?: number): string;
export function makeDeviceID(): string;
export function isUserID(id: string): boolean;
export function isChannelID(id: string): boolean;
export function singleChannelID(a: string, b: string): string;
export function wellFormed(text: string): string;
export function wellFormedJSON(value: unknown): string;
