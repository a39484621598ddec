<?php
/**
 * The check of XML-RPC.
 *
 * @package PicketBridge
 */

/**
 * Calls xmlrpc.php as a stranger would. Only the answer counts, not what a setting or a file says.
 */
final class Picket_Bridge_Xmlrpc_Check {

	const LIST_METHODS  = '<?xml version="1.0"?><methodCall><methodName>system.listMethods</methodName></methodCall>';
	const REFUSALS      = array( 401, 403, 404, 405, 410 );
	const TIMEOUT_S     = 5;
	const REDIRECTS_MAX = 2;

	/**
	 * Returns what the answer means. The control plane has the same function, and its tests have examples for both.
	 *
	 * @param int    $status The HTTP status.
	 * @param string $body   The body.
	 * @return array{status: string, evidence: string}
	 */
	public static function judge( int $status, string $body ): array {
		if ( false !== strpos( $body, '<methodResponse' ) ) {
			$methods = substr_count( $body, '<value><string>' );
			$offered = 0 === $methods ? '' : " and offers $methods methods";
			return self::judgement( 'failing', "xmlrpc.php answers with HTTP $status$offered" );
		}
		if ( in_array( $status, self::REFUSALS, true ) ) {
			return self::judgement( 'passing', "xmlrpc.php refuses the call with HTTP $status" );
		}
		if ( 200 === $status && '' === trim( $body ) ) {
			return self::judgement( 'passing', 'xmlrpc.php answers with an empty page' );
		}
		return self::judgement( 'unknown', "xmlrpc.php answers with HTTP $status, but not as WordPress does" );
	}

	/**
	 * Measures it. A redirect within the site is followed with the same call.
	 *
	 * @return array{status: string, evidence: string}
	 */
	public static function measure(): array {
		$url = site_url( 'xmlrpc.php' );
		for ( $redirects = 0; $redirects <= self::REDIRECTS_MAX; $redirects++ ) {
			$response = wp_remote_post(
				$url,
				array(
					'body'        => self::LIST_METHODS,
					'headers'     => array( 'Content-Type' => 'text/xml' ),
					'redirection' => 0,
					'timeout'     => self::TIMEOUT_S,
					/** This filter is documented in wp-includes/class-wp-http-streams.php */
					'sslverify'   => apply_filters( 'https_local_ssl_verify', false ),
				)
			);
			if ( is_wp_error( $response ) ) {
				return self::judgement( 'unknown', 'xmlrpc.php could not be called: ' . $response->get_error_message() );
			}
			$status   = (int) wp_remote_retrieve_response_code( $response );
			$location = (string) wp_remote_retrieve_header( $response, 'location' );
			if ( $status < 300 || $status >= 400 || '' === $location ) {
				return self::judge( $status, wp_remote_retrieve_body( $response ) );
			}
			$next = WP_Http::make_absolute_url( $location, $url );
			if ( ! self::is_own_host( $next ) ) {
				return self::judgement( 'unknown', 'xmlrpc.php redirects to another host' );
			}
			$url = $next;
		}
		return self::judgement( 'unknown', 'xmlrpc.php redirects too often' );
	}

	/**
	 * Returns whether a URL is of this site.
	 *
	 * @param string $url The URL.
	 */
	private static function is_own_host( string $url ): bool {
		$hosts = array();
		foreach ( array( $url, home_url(), site_url() ) as $one ) {
			$hosts[] = preg_replace( '/^www\./', '', strtolower( (string) wp_parse_url( $one, PHP_URL_HOST ) ) );
		}
		return $hosts[0] === $hosts[1] || $hosts[0] === $hosts[2];
	}

	/**
	 * Returns a result.
	 *
	 * @param string $status   One of passing, failing and unknown.
	 * @param string $evidence What was seen.
	 * @return array{status: string, evidence: string}
	 */
	private static function judgement( string $status, string $evidence ): array {
		return array(
			'status'   => $status,
			'evidence' => $evidence,
		);
	}
}
