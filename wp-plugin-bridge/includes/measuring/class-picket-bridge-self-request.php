<?php
/**
 * Requests of this site to itself.
 *
 * @package PicketBridge
 */

/**
 * Requests the site by its public address, as a stranger would: only such a request shows what the web server does.
 */
final class Picket_Bridge_Self_Request {

	const TIMEOUT_S     = 10;
	const REDIRECTS_MAX = 2;
	const BODY_BYTES    = 262144;

	/**
	 * The answers to GET requests of one measurement, by URL: several checks look at the same pages.
	 *
	 * @var array
	 */
	private static $pages = array();

	/**
	 * Why servers did not answer in this measurement, by scheme, host and port. None is waited for twice.
	 *
	 * @var WP_Error[]
	 */
	private static $silent = array();

	/**
	 * Forgets the answers: something may have changed them.
	 */
	public static function forget(): void {
		self::$pages  = array();
		self::$silent = array();
	}

	/**
	 * Gets a page, once in each measurement.
	 *
	 * @param string $url The URL.
	 * @return array{status: int, body: string, headers: string[], url: string}|WP_Error
	 */
	public static function page( string $url ) {
		if ( ! isset( self::$pages[ $url ] ) ) {
			self::$pages[ $url ] = self::send( 'GET', $url );
		}
		return self::$pages[ $url ];
	}

	/**
	 * Sends a request. A redirect within the site is followed with the same request. `url` of the answer is the last one.
	 *
	 * @param string $method Such as GET.
	 * @param string $url    The URL.
	 * @param array  $args   As of `wp_remote_request`.
	 * @return array{status: int, body: string, headers: string[], url: string}|WP_Error
	 */
	public static function send( string $method, string $url, array $args = array() ) {
		for ( $redirects = 0; $redirects <= self::REDIRECTS_MAX; $redirects++ ) {
			$answer = self::once( $method, $url, $args );
			if ( is_wp_error( $answer ) ) {
				return $answer;
			}
			$location = $answer['headers']['location'] ?? '';
			if ( $answer['status'] < 300 || $answer['status'] >= 400 || '' === $location ) {
				return $answer;
			}
			$next = WP_Http::make_absolute_url( $location, $url );
			if ( ! self::is_own_host( $next ) ) {
				return new WP_Error( 'picket_bridge_redirect', 'it redirects to another host' );
			}
			$url = $next;
		}
		return new WP_Error( 'picket_bridge_redirect', 'it redirects too often' );
	}

	/**
	 * Sends one request, and follows no redirect.
	 *
	 * @param string $method Such as GET.
	 * @param string $url    The URL.
	 * @param array  $args   As of `wp_remote_request`.
	 * @return array{status: int, body: string, headers: string[], url: string}|WP_Error
	 */
	public static function once( string $method, string $url, array $args = array() ) {
		$server = wp_parse_url( $url, PHP_URL_SCHEME ) . '://' . wp_parse_url( $url, PHP_URL_HOST ) . ':' . wp_parse_url( $url, PHP_URL_PORT );
		if ( isset( self::$silent[ $server ] ) ) {
			return self::$silent[ $server ];
		}
		$response = wp_remote_request(
			$url,
			array_merge(
				array(
					'method'              => $method,
					'redirection'         => 0,
					'timeout'             => self::TIMEOUT_S,
					'limit_response_size' => self::BODY_BYTES,
					/** This filter is documented in wp-includes/class-wp-http-streams.php */
					'sslverify'           => apply_filters( 'https_local_ssl_verify', false ),
				),
				$args
			)
		);
		if ( is_wp_error( $response ) ) {
			self::$silent[ $server ] = $response;
			return $response;
		}
		$headers = array();
		foreach ( wp_remote_retrieve_headers( $response ) as $name => $value ) {
			// A header that is sent twice shows it.
			$headers[ strtolower( (string) $name ) ] = implode( ', ', (array) $value );
		}
		return array(
			'status'  => (int) wp_remote_retrieve_response_code( $response ),
			'body'    => wp_remote_retrieve_body( $response ),
			'headers' => $headers,
			'url'     => $url,
		);
	}

	/**
	 * Returns whether a URL is of this site.
	 *
	 * @param string $url The URL.
	 */
	public static function is_own_host( string $url ): bool {
		$host = self::host( $url );
		return self::host( home_url() ) === $host || self::host( site_url() ) === $host;
	}

	/**
	 * Returns the host of a URL without `www.`.
	 *
	 * @param string $url The URL.
	 */
	private static function host( string $url ): string {
		return (string) preg_replace( '/^www\./', '', strtolower( (string) wp_parse_url( $url, PHP_URL_HOST ) ) );
	}
}
