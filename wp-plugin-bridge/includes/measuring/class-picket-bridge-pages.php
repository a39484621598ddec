<?php
/**
 * The pages that must go on answering.
 *
 * @package PicketBridge
 */

/**
 * Requests the home page, the log-in page and the newest post or page as a visitor does, before and after a change of a plugin.
 */
final class Picket_Bridge_Pages {

	/**
	 * A page that does not answer in time is requested again: the server may be busy with the change.
	 */
	const TRIES = 3;

	/**
	 * Returns how each page answers, by its name.
	 *
	 * @return string[]
	 */
	public static function look(): array {
		$seen = array();
		foreach ( self::urls() as $name => $url ) {
			$seen[ $name ] = self::answer( $url );
		}
		return $seen;
	}

	/**
	 * Returns why the site cannot be tested, or an empty text.
	 *
	 * @param string[] $seen As `look` returns it.
	 */
	public static function obstacle( array $seen ): string {
		$home = (string) reset( $seen );
		return 1 === preg_match( '/^HTTP [234]\d\d$/', $home ) ? '' : "The site does not answer itself as it should ($home), so the change cannot be tested.";
	}

	/**
	 * Returns what has become worse, or an empty text.
	 *
	 * @param string[] $before As `look` returned it before the change.
	 * @param string[] $after  As `look` returned it after the change.
	 */
	public static function problem( array $before, array $after ): string {
		foreach ( $before as $name => $answer ) {
			$now = $after[ $name ] ?? 'nothing';
			if ( $now !== $answer ) {
				return "$name answered with $now instead of $answer";
			}
		}
		return '';
	}

	/**
	 * Returns what an answer is, in words. A page that ends in the middle, or shows a fatal error, is an error page whatever its
	 * status: PHP sends it when the error happens after the beginning of the page.
	 *
	 * @param int    $status The HTTP status.
	 * @param string $body   The body.
	 */
	public static function described( int $status, string $body ): string {
		if ( 1 === preg_match( '/<b>(?:Fatal|Parse) error<\/b>:/', $body ) ) {
			return "HTTP $status and a fatal error of PHP";
		}
		if ( 200 !== $status || strlen( $body ) >= Picket_Bridge_Self_Request::BODY_BYTES ) {
			return "HTTP $status";
		}
		if ( '' === trim( $body ) ) {
			return 'an empty page';
		}
		return false !== stripos( $body, '<html' ) && false === stripos( $body, '</html>' ) ? 'a page without its end' : "HTTP $status";
	}

	/**
	 * Returns how a page answers, in words.
	 *
	 * @param string $url The URL.
	 */
	private static function answer( string $url ): string {
		for ( $try = 1; ; $try++ ) {
			Picket_Bridge_Self_Request::forget();
			// A page of a cache would say nothing of the plugin.
			$answer = Picket_Bridge_Self_Request::once( 'GET', add_query_arg( 'picket-look', bin2hex( random_bytes( 8 ) ), $url ) );
			if ( ! is_wp_error( $answer ) ) {
				return self::described( $answer['status'], $answer['body'] );
			}
			if ( $try >= self::TRIES ) {
				return 'nothing (' . $answer->get_error_message() . ')';
			}
		}
	}

	/**
	 * Returns the URLs by the names of the pages.
	 *
	 * @return string[]
	 */
	private static function urls(): array {
		$urls   = array(
			'the home page'   => home_url( '/' ),
			'the log-in page' => site_url( 'wp-login.php' ),
		);
		$newest = get_posts(
			array(
				'post_type'    => array( 'post', 'page' ),
				'post_status'  => 'publish',
				'numberposts'  => 1,
				'has_password' => false,
			)
		);
		$url    = array() === $newest ? false : get_permalink( $newest[0] );
		if ( is_string( $url ) && untrailingslashit( $url ) !== untrailingslashit( home_url() ) ) {
			$urls['the newest post or page'] = $url;
		}
		return $urls;
	}
}
