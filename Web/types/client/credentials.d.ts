/** What tells the server who this is: a guest in dev mode, or a token, for which the app is asked each time. */
export class Credentials {
    /**
     * @param {import("./client.js").Options} options
     * @param {() => boolean} wasRefused whether the server has refused the token before
     */
    constructor(options: import("./client.js").Options, wasRefused: () => boolean);
    deviceID: string;
    /** Whether there may be another token after one that has ended. */
    get canRenew(): boolean;
    /** Whose they are, as far as that is known without the server. */
    userID(): Promise<string | undefined>;
    /** @returns {Promise<string>} */
    token(): Promise<string>;
    /** The body of `hello`. */
    hello(): Promise<{
        guest: {
            userID: string;
            name?: string | undefined;
            imageURL?: string | undefined;
        };
        token?: undefined;
        version: number;
        deviceID: string;
    } | {
        token: string;
        guest?: undefined;
        version: number;
        deviceID: string;
    }>;
    /** The headers of a request of this user. */
    headers(): Promise<Record<string, string>>;
    #private;
}
