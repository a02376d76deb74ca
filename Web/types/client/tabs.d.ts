/**
 * The tabs of one user in one browser: one of them leads, the others tell it what is to be done.
 *
 * The leader holds a Web Lock, which the browser gives to the next tab when the leader is gone. Where there are no
 * locks (pages without HTTPS, programs), each tab is alone.
 */
export class Tabs {
    /**
     * @param {string | null} name the same for all tabs that belong together; null for a tab that is alone
     * @param {{onLead: () => void, onMessage: (message: any) => void}} handlers
     */
    constructor(name: string | null, handlers: {
        onLead: () => void;
        onMessage: (message: any) => void;
    });
    isLeader: boolean;
    /**
     * Sends a message to the other tabs.
     * @param {any} message
     */
    post(message: any): void;
    /** Leaves the tabs; if this one leads, the next one begins to. */
    close(): void;
    #private;
}
