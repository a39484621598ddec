<?php
/**
 * Signatures of the messages between Picket and this plugin.
 *
 * @package PicketBridge
 */

/**
 * HMAC-SHA-256 over lines of text, in hexadecimal. The first line names what is signed, so that no signature can be used for
 * another kind of message. It needs no WordPress: Picket's tests run it with the examples that the control plane has as well.
 */
final class Picket_Bridge_Signature {

	/**
	 * Returns the signature of a request to Picket.
	 *
	 * @param string $secret    Hexadecimal.
	 * @param string $method    Such as POST.
	 * @param string $path      Of the API, without the path of the installation.
	 * @param string $timestamp Seconds since the epoch.
	 * @param string $nonce     Hexadecimal.
	 * @param string $site_id   The id of the site.
	 * @param string $body      As sent.
	 */
	public static function of_request( string $secret, string $method, string $path, string $timestamp, string $nonce, string $site_id, string $body ): string {
		$lines = array( 'picket-bridge-request-1', $method, $path, $timestamp, $nonce, $site_id, hash( 'sha256', $body ) );
		return self::of_lines( $secret, $lines );
	}

	/**
	 * Returns the signature of the response to the request with this nonce.
	 *
	 * @param string $secret  Hexadecimal.
	 * @param string $nonce   Of the request.
	 * @param string $payload As received.
	 */
	public static function of_answer( string $secret, string $nonce, string $payload ): string {
		return self::of_lines( $secret, array( 'picket-bridge-answer-1', $nonce, hash( 'sha256', $payload ) ) );
	}

	/**
	 * Returns the signature of the request that tells this site to fetch its jobs.
	 *
	 * @param string $secret  Hexadecimal.
	 * @param string $site_id The id of the site.
	 * @param string $time_ms Milliseconds since the epoch.
	 * @param string $nonce   Hexadecimal.
	 */
	public static function of_nudge( string $secret, string $site_id, string $time_ms, string $nonce ): string {
		return self::of_lines( $secret, array( 'picket-bridge-nudge-1', $site_id, $time_ms, $nonce ) );
	}

	/**
	 * Returns the signature of the request that tells this site to undo fixes before plugins and theme are loaded.
	 *
	 * @param string $secret  Hexadecimal.
	 * @param string $site_id The id of the site.
	 * @param string $time_ms Milliseconds since the epoch.
	 * @param string $nonce   Hexadecimal.
	 */
	public static function of_undo( string $secret, string $site_id, string $time_ms, string $nonce ): string {
		return self::of_lines( $secret, array( 'picket-bridge-undo-1', $site_id, $time_ms, $nonce ) );
	}

	/**
	 * Returns the answer to a nudge, which proves that this site has the secret.
	 *
	 * @param string $secret  Hexadecimal.
	 * @param string $site_id The id of the site.
	 * @param string $nonce   Of the nudge.
	 */
	public static function of_nudged( string $secret, string $site_id, string $nonce ): string {
		return self::of_lines( $secret, array( 'picket-bridge-nudged-1', $site_id, $nonce ) );
	}

	/**
	 * Returns the signature with which this site asks itself what a new request sees.
	 *
	 * @param string $secret  Hexadecimal.
	 * @param string $site_id The id of the site.
	 * @param string $time_ms Milliseconds since the epoch.
	 * @param string $nonce   Hexadecimal.
	 */
	public static function of_view( string $secret, string $site_id, string $time_ms, string $nonce ): string {
		return self::of_lines( $secret, array( 'picket-bridge-view-1', $site_id, $time_ms, $nonce ) );
	}

	/**
	 * Signs lines.
	 *
	 * @param string   $secret Hexadecimal.
	 * @param string[] $lines  What is signed.
	 */
	private static function of_lines( string $secret, array $lines ): string {
		return hash_hmac( 'sha256', implode( "\n", $lines ), (string) hex2bin( $secret ) );
	}
}
